package io.cairn.lab.study.reproduce;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figure 5 of the pattern paper: two cases with four levels. */
final class FourLevelCases implements Exhibit {
  private static final String ID = "figure-5";
  private static final List<String> NAMES = List.of("#A", "#B");
  private static final int WIDTH = 1100;

  @Override
  public int steps() {
    return NAMES.size() * CaseResult.STEPS;
  }

  @Override
  public List<Finding> reproduce(Workshop workshop) throws IOException, InterruptedException {
    Published published = workshop.published();
    CaseResult caseA = CaseResult.of(workshop, published.platform("Case " + NAMES.get(0)));
    CaseResult caseB = CaseResult.of(workshop, published.platform("Case " + NAMES.get(1)));
    List<CaseResult> cases = List.of(caseA, caseB);
    String title = "Figure 5: three approaches, parameter set C (Table 4)";
    workshop.pictures().save(ID, CasesFigure.chart(title, WIDTH, cases));
    CasesFigure.add(workshop, ID, cases);
    Map<String, Double> ours = new LinkedHashMap<>();
    for (CaseResult each : cases) {
      ours.put(
          each.name() + ": overhead of the first-order pattern, simulated",
          each.firstOrder().overhead());
      ours.put(each.name() + ": overhead of Young/Daly, simulated", each.youngDaly().overhead());
      ours.put(
          each.name() + ": length of the first-order pattern in seconds",
          each.firstOrder().pattern().pattern().lengthSeconds());
      ours.put(
          each.name() + ": checkpoints of its lower level",
          (double) each.firstOrder().pattern().pattern().segments());
    }
    return List.of(
        new Finding(
            ID,
            title,
            published.source("patterns"),
            "The first-order pattern beats the highest level alone by far; the exact optimum gains"
                + " little more, but knows beforehand what its pattern will cost.",
            List.of(ID),
            workshop.compare(ID, ours),
            published.notes(ID)));
  }
}
