package io.cairn.lab.study.reproduce;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.Progress;
import io.cairn.cli.Table;
import io.cairn.cli.WritableDirectory;
import io.cairn.lab.LabCommand;
import io.cairn.lab.study.chart.Pictures;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn-lab reproduce}: published tables and figures, computed again. */
@Command(
    name = "reproduce",
    hidden = true,
    description = {
      "Compute the tables and figures again on which Cairn's checkpoint patterns rest.",
      "Writes them as CSV, SVG and PNG, with what the papers print beside ours, and an index.html"
          + " that shows them all. The page names every figure that does not reproduce; the exit"
          + " code is 0."
    })
public final class ReproduceCommand implements LabCommand {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      converter = WritableDirectory.class,
      required = true,
      description = "Where to write; made if it is missing, and files there are replaced.")
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

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by the service loader. */
  public ReproduceCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (runs < 2) {
      throw new IllegalArgumentException("--runs must be at least 2: " + runs);
    }
    Published published = Published.read();
    List<Finding> findings = reproduce(published);
    for (Finding finding : findings) {
      for (DataTable table : finding.tables()) {
        Csv.write(directory, table);
      }
    }
    Csv.write(directory, ComparisonTable.of(findings));
    Path index = new IndexPage(findings, runs, seed).write(directory);
    print(findings, index);
    return ExitCodes.GOOD;
  }

  private List<Finding> reproduce(Published published) throws IOException, InterruptedException {
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
      Workshop workshop = new Workshop(published, pictures, runs, seed, () -> progress.advance(1));
      for (Exhibit exhibit : exhibits) {
        findings.addAll(exhibit.reproduce(workshop));
      }
    }
    return findings;
  }

  private void print(List<Finding> findings, Path index) {
    PrintWriter out = spec.commandLine().getOut();
    Table table = new Table("", ">printed", ">differ", "verdict");
    for (Finding finding : findings) {
      table.row(
          finding.title(),
          finding.comparisons().size(),
          finding.count(Agreement.DIFFERS),
          finding.verdict());
    }
    table.lines().forEach(out::println);
    out.println();
    out.println("All of it: " + index);
  }
}
