package io.cairn.lab.study.reproduce;

import java.util.ArrayList;
import java.util.List;

/** A table that is written as a CSV file and shown on the page. Not thread-safe. */
final class DataTable {
  private final String name;
  private final String caption;
  private final List<Column> columns;
  private final List<List<Cell>> rows = new ArrayList<>();

  /**
   * A column.
   *
   * @param key in the CSV file, with its unit
   * @param title on the page
   */
  record Column(String key, String title) {}

  /**
   * A table without rows.
   *
   * @param name of the file, without its ending
   * @param headings for each column {@code key|title}
   */
  DataTable(String name, String caption, String... headings) {
    this.name = name;
    this.caption = caption;
    columns = new ArrayList<>();
    for (String heading : headings) {
      int bar = heading.indexOf('|');
      columns.add(new Column(heading.substring(0, bar), heading.substring(bar + 1)));
    }
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if it has not one cell per column
   */
  DataTable row(List<Cell> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          name + ": " + cells.size() + " cells for " + columns.size() + " columns");
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  DataTable row(Cell... cells) {
    return row(List.of(cells));
  }

  String name() {
    return name;
  }

  String caption() {
    return caption;
  }

  List<Column> columns() {
    return columns;
  }

  List<List<Cell>> rows() {
    return rows;
  }
}
