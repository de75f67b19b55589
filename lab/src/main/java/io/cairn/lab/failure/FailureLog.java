package io.cairn.lab.failure;

import io.cairn.lab.failure.RecordedFailures.Failure;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a failure log: text in UTF-8, one failure per line as {@code seconds,level}, in order of
 * time. A first line {@code seconds,level} is a heading; empty lines are skipped.
 */
public final class FailureLog {
  private static final String HEADING = "seconds,level";
  private static final int MOST_FAILURES = 10_000_000;
  private static final long MOST_BYTES = 1L << 30;

  private FailureLog() {}

  /**
   * Reads a whole log.
   *
   * @throws IOException naming the file, the line and what is wrong there, or that the file cannot
   *     be read or has more than a gigabyte or ten million failures
   */
  public static RecordedFailures read(Path file) throws IOException {
    long bytes = Files.size(file);
    if (bytes > MOST_BYTES) {
      throw new IOException(file + ": too long for a failure log: " + bytes + " bytes");
    }
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      return read(reader, file.toString());
    }
  }

  /** Reads from a reader; {@code name} stands for the file in messages. */
  static RecordedFailures read(BufferedReader reader, String name) throws IOException {
    List<Failure> failures = new ArrayList<>();
    double latest = 0;
    int number = 0;
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      number++;
      if (line.isBlank() || (number == 1 && line.strip().equalsIgnoreCase(HEADING))) {
        continue;
      }
      Failure failure = failure(line, name, number);
      if (failure.seconds() < latest) {
        throw malformed(name, number, "earlier than the failure before it", line, null);
      }
      if (failures.size() == MOST_FAILURES) {
        throw new IOException(name + ": more than " + MOST_FAILURES + " failures");
      }
      latest = failure.seconds();
      failures.add(failure);
    }
    return new RecordedFailures(failures);
  }

  private static Failure failure(String line, String name, int number) throws IOException {
    String[] fields = line.split(",", -1);
    if (fields.length != 2) {
      throw malformed(name, number, "not of the form " + HEADING, line, null);
    }
    try {
      return new Failure(
          Double.parseDouble(fields[0].strip()), Integer.parseInt(fields[1].strip()));
    } catch (NumberFormatException e) {
      throw malformed(name, number, "not a number and a whole number", line, e);
    } catch (IllegalArgumentException e) {
      throw malformed(name, number, String.valueOf(e.getMessage()), line, e);
    }
  }

  private static IOException malformed(
      String name, int number, String reason, String line, @Nullable Exception cause) {
    String shown = line.length() > 80 ? line.substring(0, 80) + "…" : line;
    return new IOException(name + ", line " + number + ": " + reason + ": '" + shown + "'", cause);
  }
}
