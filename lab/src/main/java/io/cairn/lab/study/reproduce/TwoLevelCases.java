package io.cairn.lab.study.reproduce;

import io.cairn.lab.measure.FigureTable;
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
    FigureTable table = workshop.table(TABLE, "Parameters, and the patterns that they lead to");
    List<CaseResult> all = new ArrayList<>(cases);
    all.add(HEALTHY, swapped);
    all.forEach(each -> row(table, each));
    return new Finding(
        TABLE,
        "Table 5: eight cases with two levels (parameter set D)",
        workshop.published().source("patterns"),
        "The pattern of the first-order formulas, and the best one by exact expected time.",
        List.of(),
        List.of(),
        workshop.published().notes(TABLE));
  }

  private static void row(FigureTable table, CaseResult result) {
    CheckpointLevel lower = result.platform().levels().level(1);
    CheckpointLevel upper = result.platform().levels().level(2);
    CheckpointPattern first = result.firstOrder().pattern().pattern();
    CheckpointPattern best = result.best().pattern().pattern();
    table
        .row()
        .add("case", result.name())
        .add("checkpoint1 seconds", lower.checkpointSeconds())
        .add("checkpoint2 seconds", upper.checkpointSeconds())
        .add("mtbf1 seconds", Math.rint(lower.mtbfSeconds()))
        .add("mtbf2 seconds", Math.rint(upper.mtbfSeconds()))
        .add("levels", first.subset().toString())
        .add("counts", first.counts().toString())
        .add("length seconds", first.lengthSeconds())
        .add("theoretical", result.firstOrder().pattern().firstOrder())
        .add("exact", result.firstOrder().pattern().exact())
        .add("best counts", best.counts().toString())
        .add("best length seconds", best.lengthSeconds())
        .add("best exact", result.best().pattern().exact());
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
    CasesFigure.add(workshop, FIGURE, all);
    return new Finding(
        FIGURE,
        title,
        workshop.published().source("patterns"),
        "The shorter the time between failures, the more the levels save, and the further first"
            + " order is off.",
        List.of(FIGURE),
        workshop.compare(FIGURE, ours),
        workshop.published().notes(FIGURE));
  }
}
