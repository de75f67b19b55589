package io.cairn.lab.measure;

import io.cairn.cli.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table of figures, each named by its column, which has its unit. Not thread-safe.
 *
 * <p>JSON has all digits of a number, text and page have three or those before the point.
 */
public final class FigureTable {
  private static final int DIGITS = 3;

  private final String over;
  private final List<Row> rows = new ArrayList<>();

  /** A row: figures by their columns. */
  public static final class Row {
    private final Map<String, @Nullable Object> figures = new LinkedHashMap<>();

    private Row() {}

    /**
     * Adds a figure.
     *
     * @param figure a number, a boolean or a text; null, or not finite, where there is none
     */
    public Row add(String column, @Nullable Object figure) {
      boolean none = figure instanceof Double number && !Double.isFinite(number);
      figures.put(column, none ? null : figure);
      return this;
    }

    /** Adds the median, the 99th percentile and the maximum, in columns of their own. */
    public Row quantiles(String column, Samples.Quantiles millis) {
      return add(column + " p50 ms", millis.p50())
          .add(column + " p99 ms", millis.p99())
          .add(column + " max ms", millis.max());
    }

    /** The figure of a column; null where there is none. */
    public @Nullable Object get(String column) {
      return figures.get(column);
    }

    /**
     * The number of a column.
     *
     * @throws IllegalArgumentException if it has none
     */
    public double number(String column) {
      if (get(column) instanceof Number number) {
        return number.doubleValue();
      }
      throw new IllegalArgumentException("no number '" + column + "' in " + figures);
    }
  }

  FigureTable(String over) {
    this.over = over;
  }

  /** Adds a row. */
  public Row row() {
    Row row = new Row();
    rows.add(row);
    return row;
  }

  /** The rows, in their order. */
  public List<Row> rows() {
    return List.copyOf(rows);
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("over", over);
    json.put("rows", rows.stream().map(row -> row.figures).toList());
    return json;
  }

  List<String> lines() {
    Table table =
        new Table(
            columns().stream()
                .map(column -> isNumeric(column) ? ">" + column : column)
                .toArray(String[]::new));
    rows.forEach(row -> table.row(cells(row).toArray()));
    List<String> lines = new ArrayList<>(List.of(over));
    lines.addAll(table.lines());
    return lines;
  }

  String markdown() {
    StringBuilder text = new StringBuilder(over).append("\n\n");
    text.append(markdown(List.copyOf(columns())));
    text.append(
        columns().stream()
            .map(column -> isNumeric(column) ? "---:" : "---")
            .collect(Collectors.joining("|", "|", "|\n")));
    rows.forEach(row -> text.append(markdown(cells(row))));
    return text.toString();
  }

  private static String markdown(List<String> cells) {
    return cells.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  private Set<String> columns() {
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> columns.addAll(row.figures.keySet()));
    return columns;
  }

  private boolean isNumeric(String column) {
    return rows.stream()
        .map(row -> row.get(column))
        .allMatch(figure -> figure == null || figure instanceof Number);
  }

  private List<String> cells(Row row) {
    return columns().stream().map(column -> text(row.get(column))).toList();
  }

  /** A figure for people. */
  static String text(@Nullable Object figure) {
    if (!(figure instanceof Double number)) {
      return figure == null ? "" : figure.toString();
    }
    return text(number, DIGITS);
  }

  /** A number with so many digits, or with those before the point. */
  static String text(double number, int digits) {
    double size = Math.abs(number);
    if (size < 1 && size > 0) {
      return String.format(Locale.ROOT, "%." + digits + "g", number);
    }
    int behind = digits - 1;
    for (double unit = 10; behind > 0 && size >= unit; unit *= 10) {
      behind--;
    }
    return String.format(Locale.ROOT, "%." + (size == 0 ? 0 : behind) + "f", number);
  }
}
