package io.cairn.examples.wave;

import io.cairn.cache.history.History;
import io.cairn.cache.history.HistorySettings;
import io.cairn.cache.history.HistoryStats;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.adjoint.Schedules;
import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.Region;
import io.cairn.engine.adjoint.AdjointProgram;
import io.cairn.engine.adjoint.AdjointReport;
import io.cairn.engine.adjoint.AdjointRunner;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.Cairn;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The migration of all shots with Cairn, in a process that may be killed and started again. It
 * prints a line of words at some calls of the program, and one at the end of each shot.
 */
final class WaveProcess {
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);
  private static final int CALLS_PER_SEAL = 100;
  private static final int CALLS_PER_LINE = 20;

  private final Path root;
  private final int steps;
  private final long cacheBytes;
  private final double bound;
  private final Shots shots;

  private WaveProcess(Path root, int steps, long cacheBytes, double bound) {
    this.bound = bound;
    this.root = root;
    this.steps = steps;
    this.cacheBytes = cacheBytes;
    shots = new Shots(Survey.standard(steps));
  }

  /** The arguments are a directory, the steps of a shot, MiB of the cache, and an error bound. */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    int steps = Integer.parseInt(arguments[1]);
    long cacheBytes = Long.parseLong(arguments[2]) << 20;
    new WaveProcess(root, steps, cacheBytes, Double.parseDouble(arguments[3])).run();
  }

  private void run() throws IOException {
    CairnConfig config =
        CairnConfig.of(
            Map.of(
                "job", "wave",
                "store", root.resolve("store").toString(),
                "node.dir", root.resolve("node").toString(),
                "device.dir", root.resolve("device").toString(),
                "device.cacheSize", "64m",
                "chunkSize", "1m",
                "node.every", "1",
                "store.every", "4"));
    Path memory = root.resolve("memory");
    Stack stack = new Stack(shots.survey().grid());
    try (Cairn cairn = Cairn.open(config);
        DeviceMemory device = SharedMemoryDevice.open(memory, memory, cacheBytes)) {
      List<Double> sources = Shots.standard();
      for (int shot = 0; shot < sources.size(); shot++) {
        Migration migration = shots.migration(sources.get(shot), bound);
        migrate(cairn, device, shot, migration);
        stack.add(migration.image(), migration.illumination());
      }
    }
    Files.write(root.resolve("image"), stack.bytes());
  }

  private void migrate(Cairn cairn, DeviceMemory device, int shot, Migration migration)
      throws IOException {
    long fileBytes = 2L * steps * shots.survey().grid().cells() * Float.BYTES;
    HistorySettings settings =
        new HistorySettings(cacheBytes, root.resolve("states-" + shot), fileBytes);
    try (Checkpointer checkpointer = cairn.join("shot-" + shot);
        History history = History.resume(device, settings)) {
      AdjointProgram program = new Watched(migration, shot, history);
      AdjointReport report =
          new AdjointRunner(history, checkpointer, CALLS_PER_SEAL)
              .run(program, Schedules.storeAll(steps));
      HistoryStats stats = history.stats();
      say(
          "end",
          shot,
          report.resumedAt(),
          report.recomputed(),
          stats.bytesDown(),
          stats.bytesUp() + stats.bytesPast(),
          stats.storeWaitNanos() + stats.restoreWaitNanos());
      history.delete();
    }
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

  /** A migration that tells how far it is. */
  private static final class Watched implements AdjointProgram {
    private final Migration migration;
    private final int shot;
    private final History history;

    Watched(Migration migration, int shot, History history) {
      this.migration = migration;
      this.shot = shot;
      this.history = history;
    }

    @Override
    public List<Region> restart() {
      return migration.restart();
    }

    @Override
    public List<Region> read() {
      return migration.read();
    }

    @Override
    public long readBytes(String region) {
      return migration.readBytes(region);
    }

    @Override
    public List<Region> adjoint() {
      return migration.adjoint();
    }

    @Override
    public void restored() {
      migration.restored();
    }

    @Override
    public void step(long step) {
      migration.step(step);
      tell("forward", step);
    }

    @Override
    public void reverse(long step) {
      migration.reverse(step);
      tell("backward", step);
    }

    private void tell(String phase, long step) {
      if (step % CALLS_PER_LINE == 0) {
        HistoryStats stats = history.stats();
        say(phase, shot, step, stats.deviceBytes(), stats.fileBytes());
      }
    }
  }
}
