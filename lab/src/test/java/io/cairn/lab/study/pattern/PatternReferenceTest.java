package io.cairn.lab.study.pattern;

import static io.cairn.lab.study.pattern.References.CLOSED_FORM;
import static io.cairn.lab.study.pattern.References.integers;
import static io.cairn.lab.study.pattern.References.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every value of the file of patterns, within the tolerance that it states. */
class PatternReferenceTest {
  private static final JsonNode FILE = References.read("pattern.json");

  @ParameterizedTest
  @CsvSource({
    "table2_printed_parameters,A,7",
    "table2_inferred_parameters,A_inferred,7",
    "table3,B,26"
  })
  void tables(String table, String set, int rows) {
    assertThat(FILE.get(table)).hasSize(rows);
    for (JsonNode row : FILE.get(table)) {
      List<Integer> subset = integers(row.get("levels"));
      List<Integer> counts = integers(row.get("n"));
      LevelStack levels = References.set(FILE, set);
      FirstOrder formulas = new FirstOrder(levels.select(subset, CostModel.INDEPENDENT));
      double length = formulas.length(counts);
      CheckpointPattern pattern = new CheckpointPattern(subset, counts, length);

      close(formulas.rationalCounts(), row.get("n_opt"));
      assertThat(formulas.roundings()).as("roundings of %s", row).contains(counts);
      assertThat(length).isCloseTo(row.get("W_opt").doubleValue(), CLOSED_FORM);
      assertThat(formulas.overhead(counts))
          .isCloseTo(row.get("H_theory").doubleValue(), CLOSED_FORM);
      assertThat(formulas.lowerBound())
          .isCloseTo(row.get("H_lower_bound").doubleValue(), CLOSED_FORM);
      assertThat(pattern.totals().subList(0, counts.size())).isEqualTo(integers(row.get("N")));
      exactOverheads(levels, pattern, row.get("exact_overhead"));
    }
  }

  @ParameterizedTest
  @CsvSource({"C_A", "C_B", "D1", "D2", "D8"})
  void cases(String set) {
    JsonNode expected = FILE.at("/cases/" + set);
    LevelStack levels = References.set(FILE, set);
    PatternCalculator calculator = new PatternCalculator(levels, PatternAssumptions.DEFAULT);
    PatternReport report = calculator.calculate(Optimizer.FIRST_ORDER, PatternRestriction.NONE);
    CheckpointPattern pattern = report.best().pattern();

    assertThat(pattern.subset()).isEqualTo(integers(expected.get("dp_subset")));
    assertThat(pattern.counts()).isEqualTo(integers(expected.get("n")));
    assertThat(pattern.lengthSeconds()).isCloseTo(expected.get("W").doubleValue(), CLOSED_FORM);
    assertThat(report.best().firstOrder())
        .isCloseTo(expected.get("H_theory").doubleValue(), CLOSED_FORM);
    assertThat(report.best().lowerBound())
        .isCloseTo(expected.get("H_lower_bound").doubleValue(), CLOSED_FORM);
    LevelStack selected = levels.select(pattern.subset(), CostModel.INDEPENDENT);
    close(new FirstOrder(selected).rationalCounts(), expected.get("n_opt"));
    exactOverheads(levels, pattern, expected.get("exact_overhead"));

    JsonNode youngDaly = expected.get("young_daly");
    assertThat(report.youngDaly().pattern().lengthSeconds())
        .isCloseTo(youngDaly.get("W").doubleValue(), CLOSED_FORM);
    assertThat(report.youngDaly().firstOrder())
        .isCloseTo(youngDaly.get("H_theory").doubleValue(), CLOSED_FORM);
    exactOverheads(levels, report.youngDaly().pattern(), youngDaly.get("exact_overhead"));
  }

  static Stream<Arguments> optima() {
    List<Arguments> optima = new ArrayList<>();
    for (Map.Entry<String, JsonNode> set : FILE.get("exact_optimum").properties()) {
      for (Map.Entry<String, JsonNode> model : set.getValue().properties()) {
        optima.add(Arguments.of(set.getKey(), model.getKey(), model.getValue()));
      }
    }
    return optima.stream();
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("optima")
  void exactOptimum(String set, String model, JsonNode expected) {
    LevelStack levels = References.set(FILE, set);
    PatternCalculator calculator = new PatternCalculator(levels, References.assumptions(model));
    PatternReport report = calculator.calculate();

    isPattern(report.firstOrder(), expected.get("first_order"), CLOSED_FORM);
    isPattern(report.best(), expected.get("optimum"), Percentage.withPercentage(0.1));
    assertThat(PatternReport.loss(report.firstOrder(), report.exact()))
        .isCloseTo(expected.get("gain_time_rel").doubleValue(), Percentage.withPercentage(0.1));

    JsonNode same = expected.get("same_pattern_best_W");
    CheckpointPattern given = report.firstOrder().pattern();
    PatternRestriction counts = new PatternRestriction(given.subset(), given.counts(), null);
    EvaluatedPattern stretched = calculator.calculate(Optimizer.EXACT, counts).best();
    assertThat(stretched.pattern().counts()).isEqualTo(given.counts());
    assertThat(stretched.exact())
        .isCloseTo(same.get("H").doubleValue(), Percentage.withPercentage(1e-6));
    assertThat(stretched.pattern().lengthSeconds())
        .isCloseTo(same.get("W").doubleValue(), Percentage.withPercentage(0.1));
  }

  @Test
  void subsets() {
    assertThat(FILE.get("subset_selection")).hasSize(6);
    for (JsonNode row : FILE.get("subset_selection")) {
      LevelStack levels =
          References.stack(numbers(row.get("lambda")), numbers(row.get("C")), List.of());
      for (CostModel costs : CostModel.values()) {
        String suffix = costs == CostModel.INDEPENDENT ? "independent" : "incremental";
        SubsetSelection best = SubsetSelection.best(levels, costs);
        assertThat(best.subset()).isEqualTo(integers(row.get("subset_" + suffix)));
        assertThat(best.lowerBound()).isCloseTo(row.get("H_" + suffix).doubleValue(), CLOSED_FORM);
      }
    }
  }

  @Test
  void worthOfTheExampleInTheText() {
    JsonNode row = FILE.get("section_3_2");
    LevelStack levels = References.stack(numbers(row.get("lam")), numbers(row.get("C")), List.of());
    FirstOrder formulas = new FirstOrder(levels);
    assertThat(formulas.rationalCounts().get(0))
        .isCloseTo(row.get("n_opt").doubleValue(), CLOSED_FORM);
    assertThat(formulas.rationalLength()).isCloseTo(row.get("W_opt").doubleValue(), CLOSED_FORM);
    assertThat(formulas.lowerBound()).isCloseTo(row.get("H").doubleValue(), CLOSED_FORM);
    for (Map.Entry<String, JsonNode> each : row.get("integer").properties()) {
      List<Integer> counts = List.of(Integer.valueOf(each.getKey()));
      assertThat(formulas.length(counts))
          .isCloseTo(each.getValue().get("W").doubleValue(), CLOSED_FORM);
      assertThat(formulas.overhead(counts))
          .isCloseTo(each.getValue().get("H").doubleValue(), CLOSED_FORM);
    }
    PatternCalculator calculator =
        new PatternCalculator(levels, References.assumptions("computation-only/cumulative"));
    for (Map.Entry<String, JsonNode> each : row.get("exact_int").properties()) {
      List<Integer> counts = List.of(Integer.valueOf(each.getKey()));
      EvaluatedPattern best =
          calculator
              .calculate(Optimizer.EXACT, new PatternRestriction(levels.all(), counts, null))
              .best();
      assertThat(best.exact())
          .isCloseTo(each.getValue().get("H").doubleValue(), Percentage.withPercentage(1e-6));
      assertThat(best.pattern().lengthSeconds())
          .isCloseTo(each.getValue().get("W").doubleValue(), Percentage.withPercentage(0.1));
    }
  }

  private static void exactOverheads(
      LevelStack levels, CheckpointPattern pattern, JsonNode expected) {
    assertThat(expected).hasSize(6);
    for (Map.Entry<String, JsonNode> each : expected.properties()) {
      PatternCalculator calculator =
          new PatternCalculator(levels, References.assumptions(each.getKey()));
      assertThat(calculator.evaluate(pattern).exact())
          .as("%s, %s", pattern, each.getKey())
          .isCloseTo(each.getValue().doubleValue(), CLOSED_FORM);
    }
  }

  private static void isPattern(EvaluatedPattern actual, JsonNode expected, Percentage length) {
    assertThat(actual.pattern().subset()).isEqualTo(integers(expected.get("subset")));
    assertThat(actual.pattern().counts()).isEqualTo(integers(expected.get("n")));
    assertThat(actual.pattern().lengthSeconds()).isCloseTo(expected.get("W").doubleValue(), length);
    assertThat(actual.exact())
        .isCloseTo(expected.get("H").doubleValue(), Percentage.withPercentage(1e-6));
  }

  private static void close(List<Double> actual, JsonNode expected) {
    assertThat(actual).hasSize(expected.size());
    for (int i = 0; i < actual.size(); i++) {
      assertThat(actual.get(i)).isCloseTo(expected.get(i).doubleValue(), CLOSED_FORM);
    }
  }
}
