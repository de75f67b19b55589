package io.cairn.lab.bench.flow;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out, in a JVM of its own, whether a rival solves a size within the time it is given. */
final class Probe {
  private static final Duration SETUP = Duration.ofMinutes(1);

  /** A first solve is cold, and may take this much longer. */
  private static final double COLD_SECONDS = 2;

  private final List<String> jvmArguments;
  private final double limitSeconds;

  Probe(List<String> jvmArguments, double limitSeconds) {
    this.jvmArguments = jvmArguments;
    this.limitSeconds = limitSeconds;
  }

  /**
   * The outcome.
   *
   * @param seconds of its fastest solve; null if it is not to be measured
   * @param why not; null if it is
   */
  record Outcome(@Nullable Double seconds, @Nullable String why) {}

  /**
   * Tries one rival at one size.
   *
   * @throws IOException if the rival failed or found another optimum than ours; with what it said
   */
  Outcome outcome(Rival rival, int devices) throws IOException {
    try (ChildProcess process =
        Command.java(RivalProbe.class, rival.name(), devices)
            .options(jvmArguments)
            .withErrorsInOutput()
            .start()) {
      List<String> lines = new ArrayList<>();
      if (!readTo(RivalProbe.READY, SETUP, process, lines)) {
        return new Outcome(null, "over " + SETUP.toSeconds() + " s to prepare");
      }
      Duration limit = Duration.ofMillis((long) ((limitSeconds + COLD_SECONDS) * 1e3));
      return readTo(RivalProbe.FASTEST, limit, process, lines)
          ? found(rival, devices, lines)
          : new Outcome(null, over());
    }
  }

  /** Reads to a line with a prefix, or to the end; returns whether it came in time. */
  private static boolean readTo(
      String prefix, Duration patience, ChildProcess process, List<String> lines) {
    long end = System.nanoTime() + patience.toNanos();
    try {
      while (!process.outputEnded()) {
        Optional<String> line =
            process.line(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        line.ifPresent(lines::add);
        if (line.isEmpty() && !process.outputEnded()) {
          return false;
        }
        if (line.filter(one -> one.startsWith(prefix)).isPresent()) {
          return true;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a probe ran", e);
    }
  }

  private String over() {
    return String.format(Locale.ROOT, "over %.0f s", limitSeconds);
  }

  private Outcome found(Rival rival, int devices, List<String> lines) throws IOException {
    String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    if (last.startsWith(RivalProbe.FASTEST)) {
      double seconds = Double.parseDouble(last.substring(RivalProbe.FASTEST.length()));
      return seconds <= limitSeconds ? new Outcome(seconds, null) : new Outcome(null, over());
    }
    String said = String.join(System.lineSeparator(), lines);
    if (said.contains(OutOfMemoryError.class.getName())) {
      return new Outcome(null, "out of memory");
    }
    throw new IOException(
        String.format(Locale.ROOT, "%s failed at %d devices: %s", rival.title(), devices, said));
  }
}
