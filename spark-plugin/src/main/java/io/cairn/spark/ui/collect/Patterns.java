package io.cairn.spark.ui.collect;

import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.CadenceReport;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.spark.ui.model.PatternRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The patterns in force, as the page shows them. */
public final class Patterns {
  private Patterns() {}

  /** The pattern of each group that has reported one. */
  public static List<PatternRow> of(CadencePolicy policy, CadenceReports reports) {
    return reports.newest().entrySet().stream()
        .map(entry -> row(entry.getKey().group(), policy, entry.getValue()))
        .toList();
  }

  private static PatternRow row(String group, CadencePolicy policy, CadenceReport report) {
    Map<String, String> reasons = new LinkedHashMap<>();
    report.bounds().forEach((level, bound) -> reasons.put(level.name(), bound.name()));
    return row(group, policy, report.plan(), reasons, report.predicted(), report.achievedSoFar());
  }

  /** The pattern that every group begins with; groups with a fixed one keep it. */
  public static PatternRow start(CadencePolicy policy) {
    String reason = policy.adaptive().isPresent() ? "START" : "FIXED";
    Map<String, String> reasons =
        policy.start().levels().stream().collect(Collectors.toMap(Level::name, level -> reason));
    return row("", policy, policy.start(), reasons, Double.NaN, Double.NaN);
  }

  private static PatternRow row(
      String group,
      CadencePolicy policy,
      CadencePlan plan,
      Map<String, String> reasons,
      double predicted,
      double achieved) {
    Map<String, Long> periods = new LinkedHashMap<>();
    plan.periods().forEach((level, every) -> periods.put(level.name(), every));
    Map<String, Double> within = new LinkedHashMap<>();
    policy.withinSeconds().forEach((level, seconds) -> within.put(level.name(), seconds));
    return new PatternRow(
        group, plan.fromIteration(), periods, reasons, within, predicted, achieved);
  }
}
