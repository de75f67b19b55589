package io.cairn.lab.study.reproduce;

import io.cairn.cli.Progress;
import io.cairn.cli.WritableDirectory;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.chart.Pictures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab reproduce}: published tables and figures, computed again. */
@Command(
    name = "reproduce",
    hidden = true,
    description = {
      "Compute the tables and figures again on which Cairn's checkpoint patterns rest.",
      "Draws them as SVG and PNG, and reports what the papers print beside ours. The report names"
          + " every figure that does not reproduce; the exit code is 0."
    })
public final class ReproduceCommand extends Bench {
  /** Of fewer, small differences to the printed numbers mean nothing. */
  private static final long RELIABLE_RUNS = 500_000;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      converter = WritableDirectory.class,
      required = true,
      description = "Where to draw; made if it is missing, and files there are replaced.")
  private Path directory = Path.of("");

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Simulated runs of each pattern. Default: 1000000.")
  private long runs = 1_000_000;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Of all randomness; the same one gives the same results. Default: 0.")
  private long seed;

  /** Made by the service loader. */
  public ReproduceCommand() {}

  @Override
  protected void measure(BenchReport report) throws IOException, InterruptedException {
    if (runs < 2) {
      throw new IllegalArgumentException("--runs must be at least 2: " + runs);
    }
    if (runs < RELIABLE_RUNS) {
      report.quick();
    }
    FigureTable overview =
        report.table(
            "printed numbers, and how ours agree: rounded alike; off by less than 1 in the last"
                + " digit; within the scatter of means of %,d runs with seed %d",
            runs, seed);
    FigureTable differing = report.table("what does not reproduce");
    FigureTable all = report.data("every printed number that was compared");
    for (Finding finding : reproduce(Published.read(), report)) {
      report.note("%s (%s): %s", finding.title(), finding.source(), finding.summary());
      finding.notes().forEach(note -> report.note("%s: %s", note.kind(), note.text()));
      FigureTable.Row row =
          overview
              .row()
              .add("", finding.title())
              .add("pictures", String.join(", ", finding.pictures()))
              .add("printed", finding.comparisons().size());
      for (Agreement agreement : Agreement.values()) {
        row.add(agreement.toString(), finding.count(agreement));
      }
      row.add("verdict", finding.verdict());
      for (Comparison comparison : finding.comparisons()) {
        comparison.addTo(all, finding.id());
        if (comparison.agreement() == Agreement.DIFFERS) {
          comparison.addTo(differing, finding.id());
        }
      }
    }
  }

  private List<Finding> reproduce(Published published, BenchReport report)
      throws IOException, InterruptedException {
    List<Exhibit> exhibits =
        List.of(
            new Table2(published),
            new Table3(published),
            new FourLevelCases(),
            new TwoLevelCases(),
            new WorkedExample(),
            new EfficiencyFigure(),
            new OverheadFactorFigure(),
            new BandwidthFigure(),
            new WasteFigure());
    int steps = exhibits.stream().mapToInt(Exhibit::steps).sum();
    Pictures pictures = new Pictures(directory);
    List<Finding> findings = new ArrayList<>();
    try (Progress progress = Progress.counting("reproduce", steps, "step")) {
      Workshop workshop =
          new Workshop(published, pictures, report, runs, seed, () -> progress.advance(1));
      for (Exhibit exhibit : exhibits) {
        findings.addAll(exhibit.reproduce(workshop));
      }
    }
    return findings;
  }
}
