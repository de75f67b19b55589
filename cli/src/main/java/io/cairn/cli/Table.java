package io.cairn.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * A table in plain text: columns two spaces apart, as wide as their widest cell, numbers to the
 * right. Not thread-safe.
 */
public final class Table {
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  /** A table without rows; a heading that starts with {@code '>'} sets its column to the right. */
  public Table(String... header) {
    this.header = List.of(header);
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if it has not one cell per column
   */
  public Table row(Object... cells) {
    if (cells.length != header.size()) {
      throw new IllegalArgumentException(cells.length + " cells in a table of " + header);
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell.toString());
    }
    rows.add(row);
    return this;
  }

  /** Whether no row was added. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The lines, the header first, with nothing behind the last cell. */
  public List<String> lines() {
    List<String> titles = header.stream().map(Table::title).toList();
    List<String> lines = new ArrayList<>();
    lines.add(line(titles));
    rows.forEach(row -> lines.add(line(row)));
    return lines;
  }

  private String line(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      String cell = cells.get(column);
      String padding = " ".repeat(width(column) - cell.length());
      line.append(column == 0 ? "" : "  ");
      line.append(isNumeric(column) ? padding + cell : cell + padding);
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    int width = title(header.get(column)).length();
    for (List<String> row : rows) {
      width = Math.max(width, row.get(column).length());
    }
    return width;
  }

  private boolean isNumeric(int column) {
    return header.get(column).startsWith(">");
  }

  private static String title(String heading) {
    return heading.startsWith(">") ? heading.substring(1) : heading;
  }
}
