package io.cairn.examples.demo;

import io.cairn.Level;
import io.cairn.examples.digits.FoldTraining;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * The events of one attempt of a fold: a line per event in a file of its own, flushed at once, so
 * that it outlives the attempt however that one ends. A line is the wall-clock milliseconds, a
 * word, and its values, separated by blanks; only the last value may hold blanks. Thread-safe.
 */
final class FoldLog implements Closeable {
  private final Writer writer;

  /** Starts a file for an attempt of {@code fold} in {@code directory}. */
  FoldLog(Path directory, int fold) throws IOException {
    Files.createDirectories(directory);
    long pid = ProcessHandle.current().pid();
    Path file =
        directory.resolve(
            "fold-" + fold + "-" + System.currentTimeMillis() + "-" + pid + ".events");
    writer = Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW);
    line("start", Integer.toString(fold), Long.toString(pid));
  }

  void epoch(long epoch) {
    line("epoch", Long.toString(epoch));
  }

  void resumed(Level level, long iteration) {
    line("resumed", level.name(), Long.toString(iteration));
  }

  void step(long iterations) {
    line("step", Long.toString(iterations));
  }

  void sealed(Level level, long iteration) {
    line("sealed", level.name(), Long.toString(iteration));
  }

  void captured(long iteration, long blockedNanos) {
    line("captured", Long.toString(iteration), Long.toString(blockedNanos));
  }

  void notAtDevice(long iteration, String reason) {
    line("not-at-device", Long.toString(iteration), reason.replaceAll("\\R", " "));
  }

  void cadence(FoldEvent.Cadence cadence) {
    line(
        "cadence",
        Long.toString(cadence.atIteration()),
        Long.toString(cadence.deviceEvery()),
        Long.toString(cadence.nodeEvery()),
        Long.toString(cadence.storeEvery()),
        decimal(cadence.iterationMillis()),
        decimal(cadence.captureMillis()),
        decimal(cadence.nodeMillis()),
        decimal(cadence.storeMillis()),
        decimal(cadence.predicted()),
        cadence.bound());
  }

  void waste(FoldEvent.Waste waste) {
    line("waste", decimal(waste.seconds()), decimal(waste.predicted()), decimal(waste.achieved()));
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }

  void done(FoldTraining.Result result, long bytesPerCheckpoint) {
    line(
        "done",
        result.digest().hex(),
        decimal(result.accuracy()),
        Long.toString(bytesPerCheckpoint));
  }

  private synchronized void line(String... words) {
    try {
      writer.write(System.currentTimeMillis() + " " + String.join(" ", words) + "\n");
      writer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    writer.close();
  }
}
