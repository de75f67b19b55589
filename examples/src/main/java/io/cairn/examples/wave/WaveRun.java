package io.cairn.examples.wave;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A run of {@link WaveProcess}, with its kills and the figures that it printed. */
final class WaveRun {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Bytes in use at a moment. */
  record Sample(long deviceBytes, long fileBytes) {}

  /**
   * A moment at which the process is killed.
   *
   * @param phase forward or backward
   */
  record Kill(String phase, int shot, int step) {}

  private final Path root;
  private final int steps;
  private final int cacheMib;
  private final double bound;
  private final int ranks;
  private final Consumer<String> events;
  private final Deque<Kill> kills;
  private final List<Sample> samples = new ArrayList<>();
  private long recomputed;
  private long bytesDown;
  private long bytesUp;
  private long waitNanos;

  WaveRun(
      Path root,
      int steps,
      int cacheMib,
      double bound,
      int ranks,
      List<Kill> kills,
      Consumer<String> events) {
    this.bound = bound;
    this.ranks = ranks;
    this.root = root;
    this.steps = steps;
    this.cacheMib = cacheMib;
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
        Command.java(WaveProcess.class, root, steps, cacheMib, bound, ranks, freeAddress())
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
          return false;
        }
      }
    }
  }

  /** An address that nobody uses, for the coordinator of several ranks. */
  private static String freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
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
          "shot %d of %d done%s"
              .formatted(
                  shot + 1,
                  Shots.standard().size(),
                  words[2].equals("0") ? "" : ", went on after call " + words[2]));
      recomputed += Long.parseLong(words[3]);
      bytesDown += Long.parseLong(words[4]);
      bytesUp += Long.parseLong(words[5]);
      waitNanos += Long.parseLong(words[6]);
      return false;
    }
    int step = Integer.parseInt(words[2]);
    samples.add(new Sample(Long.parseLong(words[3]), Long.parseLong(words[4])));
    if (new Kill(words[0], shot, step).equals(kills.peek())) {
      kills.remove();
      return true;
    }
    return false;
  }

  List<Sample> samples() {
    return List.copyOf(samples);
  }

  long recomputed() {
    return recomputed;
  }

  long bytesDown() {
    return bytesDown;
  }

  long bytesUp() {
    return bytesUp;
  }

  double waitMillis() {
    return waitNanos / 1e6;
  }
}
