package io.cairn.examples.wave;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import io.cairn.process.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A run of {@link WaveProcess}, with its kills and the figures that it printed. */
final class WaveRun {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /**
   * A moment at which the process is killed.
   *
   * @param phase forward or backward
   */
  record Kill(String phase, int shot, int step) {}

  /**
   * The run's size.
   *
   * @param dimensions of the survey, 2 or 3
   * @param steps of a shot
   * @param cacheMib of all ranks
   */
  record Size(int dimensions, int steps, int cacheMib, double bound, int ranks) {}

  private final Path root;
  private final Size size;
  private final Consumer<String> events;
  private final Deque<Kill> kills;
  private final RunFigures figures = new RunFigures();

  WaveRun(Path root, Size size, List<Kill> kills, Consumer<String> events) {
    this.root = root;
    this.size = size;
    this.kills = new ArrayDeque<>(kills);
    this.events = events;
  }

  /** Starts the process, again after each kill, until it ends. */
  void complete() throws IOException, InterruptedException {
    while (!live()) {
      events.accept("killed; the same call goes on in a new process");
    }
  }

  private boolean live() throws IOException, InterruptedException {
    try (ChildProcess process =
        Command.java(
                WaveProcess.class,
                root,
                size.dimensions(),
                size.steps(),
                size.cacheMib(),
                size.bound(),
                size.ranks(),
                "127.0.0.1:" + FreePort.find())
            .options("-Xmx512m", "-XX:+UseSerialGC")
            .errorsTo(root.resolve("errors"))
            .start()) {
      while (true) {
        String line = process.line(PATIENCE).orElse("");
        if (line.isEmpty()) {
          int status = process.exitStatus();
          if (status != 0) {
            throw new IOException("the migration ended with " + status + ": " + cause());
          }
          return true;
        }
        if (read(line.split(" ", -1))) {
          process.kill();
          figures.killed();
          return false;
        }
      }
    }
  }

  /** Why the process ended, as far as it logged that. */
  private String cause() throws IOException {
    try (Stream<String> lines = Files.lines(root.resolve("errors"))) {
      return lines
          .filter(line -> line.startsWith("Caused by: ") || line.startsWith("Exception in "))
          .reduce("no reason was logged", (one, other) -> other);
    }
  }

  /** Whether the process is to be killed now. */
  private boolean read(String[] words) {
    int shot = Integer.parseInt(words[1]);
    if (words[0].equals("end")) {
      events.accept(
          String.format(
              Locale.ROOT,
              "shot %d of %s done%s",
              shot + 1,
              words[2],
              words[3].equals("0") ? "" : ", went on after call " + words[3]));
      figures.ends(Long.parseLong(words[4]), Transfers.parse(words[5]));
      return false;
    }
    int step = Integer.parseInt(words[2]);
    figures.goesOn(
        new RunFigures.Sample(Long.parseLong(words[3]), Long.parseLong(words[4])),
        Transfers.parse(words[5]));
    if (new Kill(words[0], shot, step).equals(kills.peek())) {
      kills.remove();
      return true;
    }
    return false;
  }

  RunFigures figures() {
    return figures;
  }
}
