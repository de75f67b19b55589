package io.cairn.lab.soak;

import java.util.List;
import java.util.Map;

/**
 * The findings of a soak.
 *
 * @param blows by kind
 * @param sources by group: how often a rank resumed from which level, by cause
 * @param borrowedRestores ranks that resumed from DEVICE in groups that fit there only with others'
 *     memory
 * @param problems what must not have happened; empty if all is well
 */
record SoakReport(
    long seed,
    double seconds,
    Map<String, Integer> blows,
    Map<String, Map<String, Integer>> sources,
    int borrowedRestores,
    List<String> problems) {
  SoakReport {
    blows = Map.copyOf(blows);
    sources = Map.copyOf(sources);
    problems = List.copyOf(problems);
  }
}
