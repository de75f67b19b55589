package io.cairn.lab.study.failure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;

/** The patterns of the published tables, with exact overheads that were computed elsewhere. */
final class PublishedPatterns {
  private PublishedPatterns() {}

  /**
   * One row of a table under one model.
   *
   * @param name of the table, the row and the model
   * @param overhead exact
   */
  record Row(
      String name,
      SimulatedPattern pattern,
      ExponentialFailures failures,
      Exposure exposure,
      double overhead) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Every row of Tables 2 (both readings of its parameters) and 3 under all six models. */
  static List<Row> rows() {
    JsonNode oracle = oracle("pattern.json");
    List<Row> rows = new ArrayList<>();
    addTable(rows, oracle, "table2_printed_parameters", "A");
    addTable(rows, oracle, "table2_inferred_parameters", "A_inferred");
    addTable(rows, oracle, "table3", "B");
    return rows;
  }

  static JsonNode oracle(String name) {
    try (InputStream in =
        PublishedPatterns.class.getResourceAsStream("/io/cairn/lab/study/pattern/" + name)) {
      return new ObjectMapper().readTree(Objects.requireNonNull(in, name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void addTable(List<Row> rows, JsonNode oracle, String table, String set) {
    JsonNode parameters = oracle.get("sets").get(set);
    List<Double> costs = numbers(parameters.get("C"));
    List<Double> rates =
        parameters.has("lambda")
            ? numbers(parameters.get("lambda"))
            : numbers(parameters.get("mtbf")).stream().map(mtbf -> 1 / mtbf).toList();
    for (JsonNode row : oracle.get(table)) {
      List<SimulatedLevel> levels = new ArrayList<>();
      for (JsonNode level : row.get("levels")) {
        double cost = costs.get(level.asInt() - 1);
        levels.add(SimulatedLevel.blocking(level.asInt(), cost, cost));
      }
      List<Integer> counts = numbers(row.get("n")).stream().map(Double::intValue).toList();
      SimulatedPattern own =
          SimulatedPattern.nested(levels, counts, row.get("W_opt").doubleValue());
      row.get("exact_overhead")
          .properties()
          .forEach(
              exact -> {
                String[] model = exact.getKey().split("/", -1);
                rows.add(
                    new Row(
                        table + " " + row.get("levels") + row.get("n") + " " + exact.getKey(),
                        model[1].equals("own") ? own : own.withCumulativeRecovery(),
                        new ExponentialFailures(rates),
                        exposure(model[0]),
                        exact.getValue().doubleValue()));
              });
    }
  }

  private static Exposure exposure(String name) {
    return switch (name) {
      case "computation-only" -> Exposure.COMPUTATION_ONLY;
      case "everywhere" -> Exposure.EVERYWHERE;
      case "atomic-chain-except-recovery" -> Exposure.ATOMIC_CHAIN_EXCEPT_RECOVERY;
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static List<Double> numbers(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::doubleValue).toList();
  }
}
