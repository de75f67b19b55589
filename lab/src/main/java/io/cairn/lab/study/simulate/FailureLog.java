package io.cairn.lab.study.simulate;

import io.cairn.lab.study.csv.CsvRows;
import io.cairn.lab.study.failure.RecordedFailures;
import io.cairn.lab.study.failure.RecordedFailures.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a failure log: text in UTF-8, one failure per line as {@code seconds,level}, in order of
 * time. A first line {@code seconds,level} is a heading; empty lines are skipped.
 */
final class FailureLog {
  private static final String HEADING = "seconds,level";
  private static final int MOST_FAILURES = 10_000_000;
  private static final long MOST_BYTES = 1L << 30;

  private FailureLog() {}

  /**
   * Reads a whole log.
   *
   * @throws IOException naming the file, and the line and its fault. A file of more than a gigabyte
   *     or ten million failures is refused
   */
  static RecordedFailures read(Path file) throws IOException {
    long bytes = Files.size(file);
    if (bytes > MOST_BYTES) {
      throw new IOException(file + ": too long for a failure log: " + bytes + " bytes");
    }
    List<Failure> failures = new ArrayList<>();
    try (CsvRows rows = new CsvRows(file.toString(), Files.newInputStream(file))) {
      Optional<List<String>> row = rows.next();
      if (row.filter(cells -> HEADING.equalsIgnoreCase(String.join(",", cells))).isPresent()) {
        row = rows.next();
      }
      double latest = 0;
      for (; row.isPresent(); row = rows.next()) {
        if (failures.size() == MOST_FAILURES) {
          throw rows.malformed("a log has at most " + MOST_FAILURES + " failures");
        }
        latest = add(row.get(), latest, failures, rows);
      }
    }
    return new RecordedFailures(failures);
  }

  /** Adds the failure of a row; returns its time, which none after it may precede. */
  private static double add(List<String> cells, double latest, List<Failure> failures, CsvRows rows)
      throws IOException {
    try {
      Failure failure = failure(cells);
      if (failure.seconds() < latest) {
        throw new IllegalArgumentException("earlier than the failure before it");
      }
      failures.add(failure);
      return failure.seconds();
    } catch (IllegalArgumentException e) {
      IOException malformed =
          rows.malformed(e.getMessage() + ": '" + shortened(String.join(",", cells)) + "'");
      malformed.initCause(e);
      throw malformed;
    }
  }

  private static Failure failure(List<String> cells) {
    if (cells.size() != 2) {
      throw new IllegalArgumentException("not of the form " + HEADING);
    }
    double seconds;
    int level;
    try {
      seconds = Double.parseDouble(cells.get(0));
      level = Integer.parseInt(cells.get(1));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a number and a whole number", e);
    }
    return new Failure(seconds, level);
  }

  private static String shortened(String row) {
    return row.length() > 80 ? row.substring(0, 80) + "…" : row;
  }
}
