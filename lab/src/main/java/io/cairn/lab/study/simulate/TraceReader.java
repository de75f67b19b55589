package io.cairn.lab.study.simulate;

import io.cairn.lab.study.csv.CsvRows;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads a trace from CSV: a heading that names {@code snapshot}, {@code rank} and columns of bytes,
 * then a row per snapshot and rank, in any order. Every rank must be there at every snapshot.
 */
final class TraceReader {
  private static final int MOST_RANKS = 100_000;
  private static final int MOST_ROWS = 20_000_000;
  private static final long MOST_BYTES = 1L << 46;

  private final String name;
  private final CsvRows lines;
  private final String column;
  private int snapshotAt;
  private int rankAt;
  private int bytesAt;
  private int columns;
  private long[] snapshots = new long[1024];
  private int[] ranks = new int[1024];
  private long[] bytes = new long[1024];
  private long[] lineOf = new long[1024];
  private int rows;

  private TraceReader(String name, InputStream in, String column) throws IOException {
    this.name = name;
    this.lines = new CsvRows(name, in);
    this.column = column;
  }

  /**
   * Reads one column of a trace.
   *
   * @param name of the trace, for messages
   * @throws IOException naming trace and line of what is malformed
   */
  static Trace read(String name, InputStream in, String column) throws IOException {
    return new TraceReader(name, in, column).read();
  }

  private Trace read() throws IOException {
    readHeading(lines.next().orElseThrow(() -> new IOException(name + " is empty")));
    for (Optional<List<String>> row = lines.next(); row.isPresent(); row = lines.next()) {
      readRow(row.get());
    }
    if (rows == 0) {
      throw new IOException(name + " has no rows");
    }
    return new Trace(name, numbers(), grid());
  }

  private void readHeading(List<String> headings) throws IOException {
    columns = headings.size();
    snapshotAt = column(headings, "snapshot");
    rankAt = column(headings, "rank");
    bytesAt = column(headings, column);
  }

  private int column(List<String> headings, String wanted) throws IOException {
    int at = headings.indexOf(wanted);
    if (at < 0) {
      throw lines.malformed("there is no column '" + wanted + "' among " + headings);
    }
    return at;
  }

  private void readRow(List<String> cells) throws IOException {
    if (cells.size() != columns) {
      throw lines.malformed(cells.size() + " cells under " + columns + " headings");
    }
    if (rows == MOST_ROWS) {
      throw lines.malformed("a trace has at most " + MOST_ROWS + " rows");
    }
    if (rows == bytes.length) {
      snapshots = Arrays.copyOf(snapshots, 2 * rows);
      ranks = Arrays.copyOf(ranks, 2 * rows);
      bytes = Arrays.copyOf(bytes, 2 * rows);
      lineOf = Arrays.copyOf(lineOf, 2 * rows);
    }
    snapshots[rows] = number("snapshot", cells.get(snapshotAt), Long.MAX_VALUE);
    ranks[rows] = (int) number("rank", cells.get(rankAt), MOST_RANKS - 1L);
    bytes[rows] = number(column, cells.get(bytesAt), MOST_BYTES);
    lineOf[rows++] = lines.line();
  }

  private long number(String what, String cell, long greatest) throws IOException {
    long value = -1;
    try {
      value = Long.parseLong(cell);
    } catch (NumberFormatException e) {
      throw lines.malformed("%s is '%s', not a whole number".formatted(what, shortened(cell)));
    }
    if (value < 0 || value > greatest) {
      throw lines.malformed(
          String.format(Locale.ROOT, "%s is %d, not 0 to %d", what, value, greatest));
    }
    return value;
  }

  private static String shortened(String cell) {
    return cell.length() > 40 ? cell.substring(0, 40) + "…" : cell;
  }

  private long[] numbers() {
    return Arrays.stream(snapshots, 0, rows).sorted().distinct().toArray();
  }

  /** The sizes by snapshot and rank. */
  private long[][] grid() throws IOException {
    long[] numbers = numbers();
    int size = Arrays.stream(ranks, 0, rows).max().orElse(0) + 1;
    if ((long) numbers.length * size > rows) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s has %d rows for %d snapshots of %d ranks; each needs one, and only one",
              name,
              rows,
              numbers.length,
              size));
    }
    long[][] grid = new long[numbers.length][size];
    for (long[] snapshot : grid) {
      Arrays.fill(snapshot, -1);
    }
    for (int row = 0; row < rows; row++) {
      long[] snapshot = grid[Arrays.binarySearch(numbers, snapshots[row])];
      if (snapshot[ranks[row]] >= 0) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s, line %d: has rank %d of snapshot %d again",
                name,
                lineOf[row],
                ranks[row],
                snapshots[row]));
      }
      snapshot[ranks[row]] = bytes[row];
    }
    return grid;
  }
}
