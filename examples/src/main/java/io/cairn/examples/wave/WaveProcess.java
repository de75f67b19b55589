package io.cairn.examples.wave;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.history.HistoryStats;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * The migration of all shots with Cairn, in a process that may be killed and started again. It
 * prints a line of words at some calls of the program, and one at the end of each shot.
 */
final class WaveProcess {
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  /** Of a shot; one line reports the bytes in use after each. */
  static final int CALLS_PER_LINE = 20;

  private final Path root;
  private final int steps;
  private final long cacheBytes;
  private final double bound;
  private final int ranks;
  private final String coordinator;
  private final Shots shots;

  private WaveProcess(String[] arguments) {
    root = Path.of(arguments[0]);
    steps = Integer.parseInt(arguments[2]);
    cacheBytes = Long.parseLong(arguments[3]) << 20;
    bound = Double.parseDouble(arguments[4]);
    ranks = Integer.parseInt(arguments[5]);
    coordinator = arguments[6];
    shots = new Shots(Survey.of(Integer.parseInt(arguments[1]), steps));
  }

  /**
   * The arguments are a directory, dimensions, the steps of a shot, MiB of all caches, an error
   * bound, ranks, and an address at which they meet.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    new WaveProcess(arguments).run();
  }

  private void run() throws IOException, InterruptedException {
    Map<String, String> config =
        Map.of(
            "job", "wave",
            "store", root.resolve("store").toString(),
            "node.dir", root.resolve("node").toString(),
            "device.dir", root.resolve("device").toString(),
            "device.cacheSize", "96m",
            "chunkSize", "1m",
            "node.every", "1",
            "store.every", "4",
            "coordinator", coordinator);
    Stack stack = new Stack(shots.survey().grid());
    try (Cairn cairn = Cairn.open(config)) {
      List<Source> sources = shots.survey().sources();
      for (int shot = 0; shot < sources.size(); shot++) {
        ValueExchange exchange = new ValueExchange(shots.survey().grid(), ranks);
        List<Migration> parts = shots.migration(sources.get(shot), bound, exchange, ranks);
        sayEnd(shot, sources.size(), migrate(cairn, shot, parts, exchange));
        stack.add(Shots.image(parts), Shots.illumination(parts));
      }
    }
    Files.write(root.resolve("image"), stack.bytes());
  }

  private List<WaveRank.Outcome> migrate(
      Cairn cairn, int shot, List<Migration> parts, ValueExchange exchange)
      throws IOException, InterruptedException {
    List<History> histories = new CopyOnWriteArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(ranks);
    try {
      List<Future<WaveRank.Outcome>> ends = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        int number = rank;
        ends.add(
            threads.submit(
                () -> {
                  try {
                    return migrate(cairn, shot, number, parts.get(number), histories);
                  } catch (Throwable e) {
                    exchange.fail();
                    throw e;
                  }
                }));
      }
      List<WaveRank.Outcome> outcomes = new ArrayList<>();
      for (Future<WaveRank.Outcome> end : ends) {
        outcomes.add(end.get());
      }
      return outcomes;
    } catch (ExecutionException e) {
      throw new IOException("a rank of shot " + shot + " failed", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private WaveRank.Outcome migrate(
      Cairn cairn, int shot, int rank, Migration migration, List<History> histories)
      throws IOException {
    long fileBytes = 2L * steps * shots.survey().grid().cells() * Float.BYTES;
    Path memory = root.resolve("memory-" + rank);
    String group = "shot-" + shot;
    HistorySettings settings =
        new HistorySettings(
            cacheBytes / ranks, root.resolve("states-" + shot + "-" + rank), fileBytes);
    try (Checkpointer checkpointer = cairn.join(group, rank, ranks);
        History history = History.resume(memory, settings)) {
      histories.add(history);
      WaveRank part =
          new WaveRank(
              new Watched(
                  migration, (phase, step) -> sayWhere(rank, phase, shot, step, histories)));
      return part.run(history, checkpointer, steps);
    }
  }

  /** Says, for all ranks, how far the first one is. */
  private static void sayWhere(
      int rank, String phase, int shot, long step, List<History> histories) {
    if (rank == 0 && step % CALLS_PER_LINE == 0) {
      List<HistoryStats> all = histories.stream().map(History::stats).toList();
      say(
          phase,
          shot,
          step,
          all.stream().mapToLong(HistoryStats::deviceBytes).sum(),
          all.stream().mapToLong(HistoryStats::fileBytes).sum(),
          sum(all.stream().map(Transfers::of)));
    }
  }

  private static void sayEnd(int shot, int shots, List<WaveRank.Outcome> ends) {
    say(
        "end",
        shot,
        shots,
        ends.get(0).resumedAt(),
        ends.stream().mapToLong(WaveRank.Outcome::recomputed).sum(),
        sum(ends.stream().map(WaveRank.Outcome::transfers)));
  }

  private static String sum(Stream<Transfers> each) {
    return each.reduce(Transfers.NONE, Transfers::plus).word();
  }

  /** In one write, so that a kill cannot tear a line. */
  private static void say(Object... words) {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(word).append(' ');
    }
    try {
      OUT.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
