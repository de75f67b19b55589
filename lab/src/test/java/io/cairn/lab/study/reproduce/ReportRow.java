package io.cairn.lab.study.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** A row of a table of a report's JSON. */
record ReportRow(JsonNode figures) {
  /** The rows of the table whose description begins so. */
  static List<ReportRow> of(JsonNode report, String member, String over) {
    for (JsonNode table : report.get(member)) {
      if (table.get("over").textValue().startsWith(over)) {
        List<ReportRow> rows = new ArrayList<>();
        table.get("rows").forEach(row -> rows.add(new ReportRow(row)));
        return rows;
      }
    }
    throw new AssertionError("no table '" + over + "' in " + report);
  }

  String text(String column) {
    return figures.required(column).asText();
  }

  double number(String column) {
    return Double.parseDouble(text(column));
  }
}
