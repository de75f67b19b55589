package io.cairn.lab.study.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Percentage;

/** Compares tables of a reproduction with values that were computed independently. */
final class ReferenceValues {
  private static final String MODEL = "atomic-chain-except-recovery/own";

  /** 1e-9 relative. */
  private static final Percentage CLOSED_FORM = Percentage.withPercentage(1e-7);

  /** The means of a few hundred runs. */
  private static final double ERRORS = 5 / 1.96;

  private final JsonNode report;
  private final JsonNode patterns = read("pattern.json");

  ReferenceValues(JsonNode report) throws IOException {
    this.report = report;
  }

  private static JsonNode read(String name) throws IOException {
    try (InputStream in =
        ReferenceValues.class.getResourceAsStream("/io/cairn/lab/study/pattern/" + name)) {
      return new ObjectMapper().readTree(Objects.requireNonNull(in, name));
    }
  }

  private List<ReportRow> table(String name) {
    return ReportRow.of(report, "tables", name + ": ");
  }

  /** Lengths, overheads and printed values of every row of a published table. */
  void checkTable(String name, String reference) throws IOException {
    List<ReportRow> rows = table(name);
    assertThat(rows).hasSameSizeAs(patterns.get(reference));
    for (int index = 0; index < rows.size(); index++) {
      ReportRow row = rows.get(index);
      JsonNode expected = patterns.get(reference).get(index);
      close(row, "length seconds", expected.get("W_opt"));
      close(row, "theoretical", expected.get("H_theory"));
      close(row, "lower bound", expected.get("H_lower_bound"));
      JsonNode exact = expected.get("exact_overhead").get(MODEL);
      close(row, "exact", exact);
      assertThat(row.number("simulated"))
          .as(row.toString())
          .isCloseTo(exact.doubleValue(), within(ERRORS * row.number("simulated ci95")));
      JsonNode printed = expected.get("paper");
      assertThat(row.number("length seconds printed")).isEqualTo(printed.get("W").doubleValue());
      assertThat(row.number("simulated printed")).isEqualTo(printed.get("sim").doubleValue());
      assertThat(row.number("theoretical printed")).isEqualTo(printed.get("th").doubleValue());
    }
  }

  /**
   * Young/Daly's and the first-order pattern of a case, and the exact optimum where it is known.
   */
  void checkCases(String name, String caseName, String reference) throws IOException {
    List<ReportRow> rows =
        table(name).stream().filter(each -> each.text("case").equals(caseName)).toList();
    assertThat(rows).hasSize(3);
    JsonNode expected = patterns.get("cases").get(reference);
    ReportRow youngDaly = rows.get(0);
    close(youngDaly, "length seconds", expected.at("/young_daly/W"));
    close(youngDaly, "theoretical", expected.at("/young_daly/H_theory"));
    close(youngDaly, "exact", expected.get("young_daly").get("exact_overhead").get(MODEL));
    ReportRow firstOrder = rows.get(1);
    close(firstOrder, "length seconds", expected.get("W"));
    close(firstOrder, "theoretical", expected.get("H_theory"));
    close(firstOrder, "exact", expected.get("exact_overhead").get(MODEL));
    assertThat(firstOrder.text("levels").replace(" ", ""))
        .isEqualTo(expected.get("dp_subset").toString());
    assertThat(firstOrder.text("counts")).isEqualTo(expected.get("n").toString());
    JsonNode optimum = patterns.get("exact_optimum").path(reference).path(MODEL).path("optimum");
    if (!optimum.isMissingNode()) {
      assertThat(rows.get(2).number("exact"))
          .isCloseTo(optimum.get("H").doubleValue(), Percentage.withPercentage(1e-6));
    }
  }

  /** Figure 13. */
  void checkEfficiencies() throws IOException {
    List<ReportRow> rows = table("figure-13");
    JsonNode expected = read("nonblocking.json").get("efficiency_table");
    assertThat(rows).hasSameSizeAs(expected);
    for (int index = 0; index < rows.size(); index++) {
      ReportRow row = rows.get(index);
      JsonNode cell = expected.get(index);
      assertThat(row.number("failures factor")).isEqualTo(cell.get("F").doubleValue());
      assertThat(row.number("cost factor")).isEqualTo(cell.get("C").doubleValue());
      assertThat(row.number("blocking efficiency"))
          .isCloseTo(cell.at("/blocking/eff").doubleValue(), within(1e-4));
      assertThat(row.number("nonblocking efficiency"))
          .isCloseTo(cell.at("/nonblocking/eff").doubleValue(), within(1e-4));
    }
  }

  /** Figure 3c. */
  void checkWaste() throws IOException {
    List<ReportRow> rows = table("figure-3c");
    JsonNode expected = read("waste.json").get("rows");
    assertThat(rows.size() * 2).isEqualTo(expected.size());
    for (JsonNode each : expected) {
      ReportRow row =
          rows.stream()
              .filter(one -> one.number("mtbf seconds") == each.get("mu").doubleValue())
              .findFirst()
              .orElseThrow();
      boolean original = each.get("version").textValue().equals("original");
      String version = original ? "original" : "asynchronous";
      close(row, version + " interval seconds", each.get("Topt"));
      close(row, version + " waste", each.get("waste"));
      if (!original) {
        close(row, version + " least waste interval seconds", each.get("Tmin_of_Eq2"));
        close(row, version + " least waste", each.get("waste_at_Tmin"));
      }
    }
  }

  private static void close(ReportRow row, String key, JsonNode expected) {
    assertThat(expected.isNumber()).as(key).isTrue();
    assertThat(row.number(key))
        .as("%s of %s", key, row)
        .isCloseTo(expected.doubleValue(), CLOSED_FORM);
  }
}
