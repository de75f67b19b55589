package io.cairn.lab.study.reproduce;

import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.pattern.CheckpointPattern;
import io.cairn.lab.study.pattern.EvaluatedPattern;
import io.cairn.lab.study.pattern.FirstOrder;
import io.cairn.lab.study.pattern.LevelStack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Table 2 or 3 of the pattern paper, and the figure that draws it. */
abstract class PatternTable implements Exhibit {
  private static final String AS_PRINTED = ", parameters as printed";
  private static final String SIMULATED = "simulated overhead";

  private final String id;
  private final String title;
  private final List<PublishedRow> rows;
  private final List<PublishedPlatform> platforms;

  /**
   * A table.
   *
   * @param platforms on which to compute it; the last one is that of the figure
   */
  PatternTable(
      String id, String title, List<PublishedRow> rows, List<PublishedPlatform> platforms) {
    this.id = id;
    this.title = title;
    this.rows = rows;
    this.platforms = platforms;
  }

  /** The figure of the rows, with what the paper's text says of it. */
  abstract Finding figure(Workshop workshop, List<TableRow> computed) throws IOException;

  @Override
  public int steps() {
    return rows.size() * platforms.size();
  }

  @Override
  public List<Finding> reproduce(Workshop workshop) throws IOException, InterruptedException {
    List<Comparison> comparisons = new ArrayList<>();
    List<TableRow> computed = List.of();
    for (PublishedPlatform platform : platforms) {
      boolean last = platform.equals(platforms.get(platforms.size() - 1));
      FigureTable table =
          workshop.table(
              last ? id : id + "-as-printed",
              "Set " + platform.name() + " (" + platform.where() + ")");
      computed = new ArrayList<>();
      for (PublishedRow row : rows) {
        TableRow ours = compute(workshop, platform.levels(), row);
        List<Comparison> compared = compare(workshop, ours, last ? "" : platform.name());
        addRow(table, ours, compared);
        computed.add(ours);
        comparisons.addAll(compared);
      }
    }
    Finding finding =
        new Finding(
            id,
            title,
            workshop.published().source("patterns"),
            summary(workshop, computed) + closedForms(comparisons),
            List.of(),
            comparisons,
            workshop.published().notes(id));
    return List.of(finding, figure(workshop, computed));
  }

  private static TableRow compute(Workshop workshop, LevelStack levels, PublishedRow row)
      throws InterruptedException {
    LevelStack selected = levels.select(row.subset(), Workshop.AS_SIMULATED.costs());
    double length = new FirstOrder(selected).length(row.counts());
    EvaluatedPattern evaluated =
        Workshop.calculator(levels)
            .evaluate(new CheckpointPattern(row.subset(), row.counts(), length));
    return new TableRow(row, evaluated, workshop.simulate(levels, evaluated.pattern()));
  }

  private List<Comparison> compare(Workshop workshop, TableRow ours, String parameters) {
    PublishedRow row = ours.printed();
    String name = row.name() + (parameters.isEmpty() ? "" : AS_PRINTED) + ": ";
    List<Comparison> compared = new ArrayList<>();
    compared.add(workshop.compare(id, name + "length in seconds", row.length(), ours.length(), 0));
    compared.add(
        workshop.compare(id, name + SIMULATED, row.simulated(), ours.simulated(), ours.scatter()));
    double theoretical = ours.pattern().firstOrder();
    compared.add(
        workshop.compare(id, name + "theoretical overhead", row.theoretical(), theoretical, 0));
    if (row.lowerBound() != null) {
      double bound = ours.pattern().lowerBound();
      compared.add(workshop.compare(id, name + "lower bound", row.lowerBound(), bound, 0));
    }
    return parameters.isEmpty() ? compared : explained(workshop, compared);
  }

  /** That printed parameters do not give the printed rows has one reason. */
  private List<Comparison> explained(Workshop workshop, List<Comparison> compared) {
    Note misprint =
        workshop.published().notes(id).stream()
            .filter(note -> note.kind() == Note.Kind.MISPRINT)
            .findFirst()
            .orElseThrow();
    return compared.stream()
        .map(
            each ->
                new Comparison(
                    each.what(),
                    each.printed(),
                    each.printedValue(),
                    each.ours(),
                    each.agreement(),
                    misprint))
        .toList();
  }

  private static void addRow(FigureTable table, TableRow ours, List<Comparison> compared) {
    PublishedRow row = ours.printed();
    Agreement worst = Collections.max(compared.stream().map(Comparison::agreement).toList());
    table
        .row()
        .add("levels", row.levelsText())
        .add("checkpoints", row.totalsText())
        .add("length seconds", ours.length())
        .add("length seconds printed", row.length())
        .add("simulated", ours.simulated())
        .add("simulated ci95", ours.simulation().ci95Overhead())
        .add("simulated printed", row.simulated())
        .add("simulated deviation", ours.simulated() / Double.parseDouble(row.simulated()) - 1)
        .add("theoretical", ours.pattern().firstOrder())
        .add("theoretical printed", row.theoretical())
        .add("lower bound", ours.pattern().lowerBound())
        .add("lower bound printed", row.lowerBound())
        .add("exact", ours.pattern().exact())
        .add("absolute difference percent", 100 * ours.absoluteDifference())
        .add("absolute difference printed percent", row.absoluteDifference())
        .add("relative difference percent", 100 * ours.relativeDifference())
        .add("relative difference printed percent", row.relativeDifference())
        .add("agreement", worst.toString());
  }

  private static String summary(Workshop workshop, List<TableRow> computed) {
    double mean =
        computed.stream().mapToDouble(row -> Math.abs(deviation(row))).average().orElseThrow();
    double most =
        computed.stream().mapToDouble(row -> Math.abs(deviation(row))).max().orElseThrow();
    return String.format(
        Locale.ROOT,
        "Simulated overheads deviate from the printed ones by %.1f %% on average and by %.1f %% at"
            + " most. %,d simulated runs per row.",
        100 * mean,
        100 * most,
        workshop.runs());
  }

  /** Where the parameters are in doubt, how well each reading of them does. */
  private String closedForms(List<Comparison> comparisons) {
    if (platforms.size() == 1) {
      return "";
    }
    List<Comparison> closed =
        comparisons.stream().filter(each -> !each.what().endsWith(SIMULATED)).toList();
    List<Comparison> asPrinted =
        closed.stream().filter(each -> each.what().contains(AS_PRINTED)).toList();
    int count = asPrinted.size();
    long agree = agreeing(asPrinted);
    return String.format(
        Locale.ROOT,
        " Of the %d lengths, theoretical overheads and lower bounds, %d round to the printed ones"
            + " with the parameters as printed, %d with the inferred ones.",
        count,
        agree,
        agreeing(closed) - agree);
  }

  private static long agreeing(List<Comparison> comparisons) {
    return comparisons.stream().filter(each -> each.agreement() == Agreement.AGREES).count();
  }

  private static double deviation(TableRow row) {
    return row.simulated() / Double.parseDouble(row.printed().simulated()) - 1;
  }

  /** A figure of best and worst roundings. */
  final Finding figure(
      Workshop workshop,
      String figure,
      String figureTitle,
      List<TableRow> computed,
      Map<String, Double> stated)
      throws IOException {
    RoundingsFigure drawn = new RoundingsFigure(figure, computed);
    drawn.save(workshop.pictures(), figureTitle);
    drawn.addTo(workshop);
    return new Finding(
        figure,
        figureTitle,
        workshop.published().source("patterns"),
        "For each subset of levels, the rounding of its checkpoint counts with the least and the"
            + " one with the greatest exact overhead.",
        List.of(figure),
        workshop.compare(figure, stated),
        workshop.published().notes(figure));
  }
}
