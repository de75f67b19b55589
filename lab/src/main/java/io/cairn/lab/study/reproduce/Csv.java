package io.cairn.lab.study.reproduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes tables as RFC 4180 has them, but with plain line feeds. */
final class Csv {
  private Csv() {}

  static void write(Path directory, DataTable table) throws IOException {
    StringBuilder text = new StringBuilder();
    line(text, table.columns().stream().map(DataTable.Column::key).toList());
    table.rows().forEach(row -> line(text, row.stream().map(Cell::csv).toList()));
    Files.writeString(directory.resolve(table.name() + ".csv"), text);
  }

  private static void line(StringBuilder text, List<String> fields) {
    text.append(fields.stream().map(Csv::field).collect(Collectors.joining(","))).append('\n');
  }

  private static String field(String value) {
    boolean plain = value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
  }
}
