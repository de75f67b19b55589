package io.cairn.cli;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
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
    List<ColumnData<List<String>>> columns = new ArrayList<>();
    for (int column = 0; column < header.size(); column++) {
      columns.add(column(column));
    }
    return AsciiTable.builder()
        .border(AsciiTable.NO_BORDERS)
        .data(rows, columns)
        .asString()
        .lines()
        .map(line -> line.substring(1).stripTrailing())
        .toList();
  }

  private ColumnData<List<String>> column(int column) {
    boolean toTheRight = header.get(column).startsWith(">");
    HorizontalAlign align = toTheRight ? HorizontalAlign.RIGHT : HorizontalAlign.LEFT;
    return new Column()
        .header(header.get(column).substring(toTheRight ? 1 : 0))
        .headerAlign(align)
        .dataAlign(align)
        .maxWidth(Integer.MAX_VALUE)
        .with(row -> row.get(column));
  }
}
