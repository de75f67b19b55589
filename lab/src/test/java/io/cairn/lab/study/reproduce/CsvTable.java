package io.cairn.lab.study.reproduce;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads a CSV file by the keys of its columns. */
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
    CsvSchema schema = CsvSchema.emptySchema().withHeader();
    try (MappingIterator<Map<String, String>> rows =
        new CsvMapper().readerForMapOf(String.class).with(schema).readValues(file.toFile())) {
      return rows.readAll().stream().map(Row::new).toList();
    }
  }
}
