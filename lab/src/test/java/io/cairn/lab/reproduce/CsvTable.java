package io.cairn.lab.reproduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads a CSV file with quoted fields, but without line breaks in them. */
final class CsvTable {
  private CsvTable() {}

  /** A row by the keys of the columns. */
  record Row(Map<String, String> fields) {
    String text(String key) {
      String text = fields.get(key);
      if (text == null) {
        throw new AssertionError("no column " + key + " in " + fields.keySet());
      }
      return text;
    }

    double number(String key) {
      return Double.parseDouble(text(key));
    }
  }

  static List<Row> read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<String> keys = split(lines.get(0));
    List<Row> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      List<String> values = split(line);
      if (values.size() != keys.size()) {
        throw new AssertionError(file + ": " + line);
      }
      Map<String, String> fields = new HashMap<>();
      for (int column = 0; column < keys.size(); column++) {
        fields.put(keys.get(column), values.get(column));
      }
      rows.add(new Row(fields));
    }
    return rows;
  }

  private static List<String> split(String line) {
    List<String> values = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    boolean quoted = false;
    for (int at = 0; at < line.length(); at++) {
      char c = line.charAt(at);
      if (c == '"' && quoted && at + 1 < line.length() && line.charAt(at + 1) == '"') {
        value.append('"');
        at++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        values.add(value.toString());
        value.setLength(0);
      } else {
        value.append(c);
      }
    }
    values.add(value.toString());
    return values;
  }
}
