package io.cairn.lab.study.simulate;

import io.cairn.cli.Table;
import io.cairn.cli.Units;
import io.cairn.lab.study.pattern.LevelStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A {@link SimulationReport} for people. */
final class SimulationText {
  private final LevelStack levels;
  private final SimulationReport report;

  SimulationText(LevelStack levels, SimulationReport report) {
    this.levels = levels;
    this.report = report;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%,d runs of %s, seed %d: %,d events",
            report.runs(),
            Units.count(report.patternsPerRun(), "pattern"),
            report.seed(),
            report.events()));
    lines.add("");
    Table overheads = new Table("", ">overhead", ">95 %", ">99 %", ">time of a run");
    overheads.row(
        "simulated",
        Units.percent(report.mean()),
        plusMinus(report.ci95()),
        plusMinus(report.ci99()),
        Units.seconds(report.meanSeconds()));
    if (report.exact() != null) {
      double seconds = report.meanSeconds() / (1 + report.mean()) * (1 + report.exact());
      overheads.row("exact", Units.percent(report.exact()), "", "", Units.seconds(seconds));
    }
    lines.addAll(overheads.lines());
    lines.add("");
    Table rollbacks = new Table(">level", "name", ">checkpoints", ">rollbacks", ">per pattern");
    double patterns = (double) report.runs() * report.patternsPerRun();
    for (int i = 0; i < report.subset().size(); i++) {
      int level = report.subset().get(i);
      rollbacks.row(
          level,
          levels.level(level).name(),
          report.totals().get(i),
          String.format(Locale.ROOT, "%,d", report.rollbacks().get(i)),
          String.format(Locale.ROOT, "%.4g", report.rollbacks().get(i) / patterns));
    }
    lines.addAll(rollbacks.lines());
    return lines;
  }

  private static String plusMinus(@Nullable Double halfWidth) {
    return halfWidth == null ? "" : "± " + Units.percent(halfWidth);
  }
}
