package io.cairn.lab.study.calculate;

import io.cairn.cli.Table;
import io.cairn.cli.Units;
import io.cairn.lab.study.pattern.CheckpointPattern;
import io.cairn.lab.study.pattern.EvaluatedPattern;
import io.cairn.lab.study.pattern.LevelStack;
import io.cairn.lab.study.pattern.PatternReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A report as people read it. */
final class PatternText {
  private static final int MOST_ALTERNATIVES = 7;
  private static final int LONGEST_LINE = 100;

  private final LevelStack levels;
  private final PatternReport report;

  PatternText(LevelStack levels, PatternReport report) {
    this.levels = levels;
    this.report = report;
  }

  /** The lines, without the notes. */
  List<String> lines(String title) {
    CheckpointPattern best = report.best().pattern();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %s of work (%.6g s) in %s of %s, overhead %s",
            title,
            Units.seconds(best.lengthSeconds()),
            best.lengthSeconds(),
            Units.count(best.segments(), "segment"),
            Units.seconds(best.segmentSeconds()),
            Units.percent(report.best().exact())));
    lines.add("");
    lines.add("  " + line(best));
    lines.add("");
    indent(lines, usage(best));
    lines.add("");
    indent(lines, comparison());
    return lines;
  }

  private static void indent(List<String> lines, Table table) {
    table.lines().forEach(line -> lines.add("  " + line));
  }

  private Table usage(CheckpointPattern best) {
    Table table = new Table(">level", "name", ">per pattern", ">every", ">checkpoint", ">MTBF");
    for (int number = 1; number <= levels.size(); number++) {
      int at = best.subset().indexOf(number);
      int total = at < 0 ? 0 : best.totals().get(at);
      table.row(
          number,
          levels.level(number).name(),
          total == 0 ? "not used" : total,
          total == 0 ? "" : Units.seconds(best.lengthSeconds() / total),
          Units.seconds(levels.level(number).checkpointSeconds()),
          Units.seconds(levels.level(number).mtbfSeconds()));
    }
    return table;
  }

  private Table comparison() {
    Table table =
        new Table("pattern", "levels", "counts", ">length", ">first order", ">bound", ">exact");
    row(table, "this one", report.best());
    row(table, "Young/Daly", report.youngDaly());
    if (!report.firstOrder().pattern().equals(report.best().pattern())) {
      row(table, "by first order", report.firstOrder());
    }
    report.alternatives().stream()
        .limit(MOST_ALTERNATIVES)
        .forEach(each -> row(table, "alternative", each));
    return table;
  }

  private static void row(Table table, String name, EvaluatedPattern evaluated) {
    CheckpointPattern pattern = evaluated.pattern();
    table.row(
        name,
        join(pattern.subset()),
        join(pattern.counts()),
        String.format(Locale.ROOT, "%.6g s", pattern.lengthSeconds()),
        Units.percent(evaluated.firstOrder()),
        Units.percent(evaluated.lowerBound()),
        Units.percent(evaluated.exact()));
  }

  private static String join(List<Integer> numbers) {
    return numbers.isEmpty()
        ? "-"
        : numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /**
   * A pattern as a line of text: a dash per segment, then the levels that are written; what repeats
   * is written once, if the line would be too long.
   */
  static String line(CheckpointPattern pattern) {
    int top = pattern.subset().size() - 1;
    long characters = 5L * pattern.segments();
    return characters <= LONGEST_LINE
        ? block(pattern, top, top, Integer.MAX_VALUE)
        : block(pattern, top, top, 2);
  }

  /** The part between two checkpoints of a level, and the chain up to {@code end} after it. */
  private static String block(CheckpointPattern pattern, int level, int end, int mostInFull) {
    if (level == 0) {
      return "── "
          + pattern.subset().subList(0, end + 1).stream()
              .map(String::valueOf)
              .collect(Collectors.joining("+"));
    }
    int repeated = pattern.counts().get(level - 1) - 1;
    String last = block(pattern, level - 1, end, mostInFull);
    if (repeated == 0) {
      return last;
    }
    String inner = block(pattern, level - 1, level - 1, mostInFull);
    String row =
        repeated <= mostInFull
            ? String.join(" ", java.util.Collections.nCopies(repeated, inner))
            : repeated + " × (" + inner + ")";
    return row + " " + last;
  }
}
