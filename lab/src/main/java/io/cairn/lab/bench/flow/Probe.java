package io.cairn.lab.bench.flow;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Finds out, in a JVM of its own, whether a rival solves a size within the time it is given. */
final class Probe {
  private static final long MOST_SETUP_SECONDS = 60;

  /** A first solve is cold, and may take this much longer. */
  private static final double COLD_SECONDS = 2;

  private final List<String> jvmArguments;
  private final double limitSeconds;

  Probe(List<String> jvmArguments, double limitSeconds) {
    this.jvmArguments = jvmArguments;
    this.limitSeconds = limitSeconds;
  }

  /**
   * What came of it.
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
    Process process = start(rival, devices);
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = process.inputReader()) {
      String why;
      try {
        why = late(reader, lines);
      } finally {
        process.destroyForcibly(); // or a read would keep the reader from being closed
      }
      return why == null ? found(rival, devices, lines) : new Outcome(null, why);
    }
  }

  private @Nullable String late(BufferedReader reader, List<String> lines) {
    CompletableFuture<Void> ready =
        CompletableFuture.runAsync(() -> readUntil(RivalProbe.READY, reader, lines));
    CompletableFuture<Void> done =
        ready.thenRunAsync(() -> readUntil(RivalProbe.FASTEST, reader, lines));
    if (!within(MOST_SETUP_SECONDS, ready)) {
      return "over " + MOST_SETUP_SECONDS + " s to prepare";
    }
    return within(limitSeconds + COLD_SECONDS, done) ? null : over();
  }

  private String over() {
    return String.format(Locale.ROOT, "over %.0f s", limitSeconds);
  }

  private Process start(Rival rival, int devices) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmArguments);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(RivalProbe.class.getName(), rival.name(), Integer.toString(devices)));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Reads to a line that starts so, or to the end. */
  private static void readUntil(String start, BufferedReader reader, List<String> lines) {
    try {
      String line = reader.readLine();
      while (line != null) {
        lines.add(line);
        line = line.startsWith(start) ? null : reader.readLine();
      }
    } catch (IOException e) {
      lines.add(e.toString());
    }
  }

  private static boolean within(double seconds, CompletableFuture<Void> event) {
    try {
      event.get((long) (seconds * 1e3), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("reading what a probe prints failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a probe ran", e);
    }
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
    throw new IOException("%s failed at %d devices: %s".formatted(rival.title(), devices, said));
  }
}
