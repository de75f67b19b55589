package io.cairn.examples.demo;

import io.cairn.core.model.Level;
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
 * word, and its values, separated by blanks. Thread-safe.
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

  void done(FoldTraining.Result result, long bytesPerCheckpoint) {
    line(
        "done",
        result.digest().hex(),
        String.format(Locale.ROOT, "%.6f", result.accuracy()),
        Long.toString(bytesPerCheckpoint),
        Long.toString(result.statistics().stall().p50Nanos()),
        Long.toString(result.statistics().stall().p99Nanos()),
        Long.toString(result.statistics().stall().maxNanos()));
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
