package io.cairn.lab.study.reproduce;

import io.cairn.lab.study.chart.ChartSheet;
import io.cairn.lab.study.pattern.CheckpointLevel;
import io.cairn.lab.study.pattern.CheckpointPattern;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Table 5 and Figure 6 of the pattern paper: eight cases with two levels. */
final class TwoLevelCases implements Exhibit {
  private static final String TABLE = "table-5";
  private static final String FIGURE = "figure-6";
  private static final String SWAPPED = "Case 6 as printed";
  private static final int CASES = 8;
  private static final int HEALTHY = 6;
  private static final int WIDTH = 1100;

  @Override
  public int steps() {
    return (CASES + 1) * CaseResult.STEPS;
  }

  @Override
  public List<Finding> reproduce(Workshop workshop) throws IOException, InterruptedException {
    Published published = workshop.published();
    List<CaseResult> cases = new ArrayList<>();
    for (int number = 1; number <= CASES; number++) {
      cases.add(CaseResult.of(workshop, published.platform("Case " + number)));
    }
    CaseResult swapped = CaseResult.of(workshop, published.platform(SWAPPED));
    return List.of(table(workshop, cases, swapped), figure(workshop, cases, swapped));
  }

  private static Finding table(Workshop workshop, List<CaseResult> cases, CaseResult swapped) {
    DataTable table =
        new DataTable(
            TABLE,
            "Parameters, and the patterns that they lead to",
            "case|case",
            "checkpoint1_seconds|C1 (s)",
            "checkpoint2_seconds|C2 (s)",
            "mtbf1_seconds|MTBF1 (s)",
            "mtbf2_seconds|MTBF2 (s)",
            "levels|levels",
            "counts|counts",
            "length_seconds|length (s)",
            "theoretical|first order",
            "exact|exact",
            "best_counts|best counts",
            "best_length_seconds|best length (s)",
            "best_exact|best exact");
    List<CaseResult> all = new ArrayList<>(cases);
    all.add(HEALTHY, swapped);
    all.forEach(each -> row(table, each));
    return new Finding(
        TABLE,
        "Table 5: eight cases with two levels (parameter set D)",
        workshop.published().source("patterns"),
        "The pattern of the first-order formulas, and the best one by exact expected time.",
        List.of(),
        List.of(table),
        List.of(),
        workshop.published().notes(TABLE));
  }

  private static void row(DataTable table, CaseResult result) {
    CheckpointLevel lower = result.platform().levels().level(1);
    CheckpointLevel upper = result.platform().levels().level(2);
    CheckpointPattern first = result.firstOrder().pattern().pattern();
    CheckpointPattern best = result.best().pattern().pattern();
    table.row(
        Cell.text(result.name()),
        Cell.number(lower.checkpointSeconds()),
        Cell.number(upper.checkpointSeconds()),
        Cell.number(Math.rint(lower.mtbfSeconds())),
        Cell.number(Math.rint(upper.mtbfSeconds())),
        Cell.text(first.subset().toString()),
        Cell.text(first.counts().toString()),
        Cell.number(first.lengthSeconds()),
        Cell.part(result.firstOrder().pattern().firstOrder()),
        Cell.part(result.firstOrder().pattern().exact()),
        Cell.text(best.counts().toString()),
        Cell.number(best.lengthSeconds()),
        Cell.part(result.best().pattern().exact()));
  }

  private static Finding figure(Workshop workshop, List<CaseResult> cases, CaseResult swapped)
      throws IOException {
    List<CaseResult> healthy = cases.subList(0, HEALTHY);
    String title = "Figure 6: three approaches, parameter set D (Table 5)";
    new ChartSheet(
            1,
            List.of(
                CasesFigure.chart(title, WIDTH, healthy),
                CasesFigure.chart("Cases 7 and 8", WIDTH, cases.subList(HEALTHY, CASES))))
        .save(workshop.pictures(), FIGURE);
    Map<String, Double> ours =
        Map.of(
            "Case 1: overhead saved against Young/Daly", cases.get(0).saved(),
            "Case 6: overhead saved against Young/Daly", cases.get(HEALTHY - 1).saved(),
            "Case 8: overhead saved against Young/Daly", cases.get(CASES - 1).saved(),
            "Case 8: overhead above the best pattern", cases.get(CASES - 1).aboveBest(),
            "Cases 1 to 6: greatest overhead above the best pattern",
                healthy.stream().mapToDouble(CaseResult::aboveBest).max().orElseThrow());
    List<CaseResult> all = new ArrayList<>(cases);
    all.add(HEALTHY, swapped);
    return new Finding(
        FIGURE,
        title,
        workshop.published().source("patterns"),
        "The shorter the time between failures, the more the levels save, and the further first"
            + " order is off.",
        List.of(FIGURE),
        List.of(CasesFigure.table(FIGURE, all)),
        workshop.compare(FIGURE, ours),
        workshop.published().notes(FIGURE));
  }
}
