package io.cairn.cli;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.ArrayList;
import java.util.List;

/**
 * A table in plain text: columns two spaces apart, as wide as their widest cell, numbers to the
 * right. On a terminal that is too narrow for it, the cells of wide columns go on in further lines.
 * Not thread-safe.
 */
public final class Table {
  /** No column of text is made narrower than this, however narrow the terminal is. */
  private static final int LEAST = 12;

  private static final int GAP = 2;

  /** Commands indent the tables below a heading. */
  private static final int INDENT = 2;

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
    return lines(Integer.getInteger("cairn.width", Integer.MAX_VALUE) - INDENT);
  }

  /** The lines for so many columns of a terminal. */
  List<String> lines(int width) {
    int[] widths = widths(width);
    List<ColumnData<List<String>>> columns = new ArrayList<>();
    for (int column = 0; column < header.size(); column++) {
      columns.add(column(column, widths[column]));
    }
    return AsciiTable.builder()
        .border(AsciiTable.NO_BORDERS)
        .data(rows, columns)
        .asString()
        .lines()
        .map(line -> line.substring(1).stripTrailing())
        .toList();
  }

  /** As wide as their widest cells; if that is too much, the widest of text become narrower. */
  private int[] widths(int most) {
    int[] widths = new int[header.size()];
    int over = GAP * (widths.length - 1) - most;
    for (int column = 0; column < widths.length; column++) {
      int at = column;
      int head = header.get(column).length() - (isToTheRight(column) ? 1 : 0);
      widths[column] = rows.stream().mapToInt(row -> row.get(at).length()).reduce(head, Math::max);
      over += widths[column];
    }
    while (over > 0) {
      int widest = -1;
      for (int column = 0; column < widths.length; column++) {
        boolean narrows = !isToTheRight(column) && widths[column] > LEAST;
        widest = narrows && (widest < 0 || widths[column] > widths[widest]) ? column : widest;
      }
      if (widest < 0) {
        return widths;
      }
      widths[widest]--;
      over--;
    }
    return widths;
  }

  private boolean isToTheRight(int column) {
    return header.get(column).startsWith(">");
  }

  private ColumnData<List<String>> column(int column, int width) {
    boolean toTheRight = isToTheRight(column);
    HorizontalAlign align = toTheRight ? HorizontalAlign.RIGHT : HorizontalAlign.LEFT;
    return new Column()
        .header(header.get(column).substring(toTheRight ? 1 : 0))
        .headerAlign(align)
        .dataAlign(align)
        .maxWidth(width + GAP)
        .with(row -> row.get(column));
  }
}
