package io.cairn.lab.study.reproduce;

import io.cairn.lab.study.pattern.FirstOrder;
import java.util.List;
import java.util.Map;

/** The example with two levels in the text of the pattern paper. */
final class WorkedExample implements Exhibit {
  @Override
  public int steps() {
    return 1;
  }

  @Override
  public List<Finding> reproduce(Workshop workshop) {
    Published published = workshop.published();
    FirstOrder formulas = new FirstOrder(published.platform("Section 3.2").levels());
    List<Comparison> comparisons =
        workshop.compare(
            "example",
            Map.of(
                "best number of level-1 checkpoints per pattern, rational",
                formulas.rationalCounts().get(0),
                "best length of the pattern in seconds",
                formulas.rationalLength(),
                "overhead, to first order",
                formulas.lowerBound()));
    workshop.step();
    return List.of(
        new Finding(
            "example",
            "Section 3.2: the worked example with two levels",
            published.source("patterns"),
            "Checkpoints of 20 and 50 s, failures at 2.78e-4 and 4.63e-5 per second.",
            List.of(),
            comparisons,
            published.notes("example")));
  }
}
