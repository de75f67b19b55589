package io.cairn.lab.study.calculate;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.WritableDirectory;
import io.cairn.lab.LabCommand;
import io.cairn.lab.study.chart.Pictures;
import io.cairn.lab.study.pattern.LevelStack;
import io.cairn.lab.study.pattern.Optimizer;
import io.cairn.lab.study.pattern.PatternReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn-lab pattern}: how often to checkpoint, and to which level. */
@Command(
    name = "pattern",
    hidden = true,
    description = {
      "Find the checkpoint pattern with the least overhead, or evaluate a given one.",
      "Compares exact expected times with the first-order formulas, and says when these mislead."
    })
public final class PatternCommand implements LabCommand {
  @Mixin private PatternOptions options = new PatternOptions();

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--chart",
      paramLabel = "DIR",
      converter = WritableDirectory.class,
      description =
          "Draw the overhead over length and over MTBF, and the pattern to scale, as SVG and PNG.")
  private @Nullable Path chartDirectory;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    LevelStack levels = options.levels();
    PatternReport report = options.calculate(levels);
    PrintWriter err = spec.commandLine().getErr();
    json.print(
        PatternJson.of(report),
        out -> new PatternText(levels, report).lines(title()).forEach(out::println));
    report.notes().forEach(note -> err.println("cairn: " + note));
    if (chartDirectory != null) {
      Pictures pictures = new Pictures(chartDirectory);
      new PatternCharts(levels, options.assumptions(), report)
          .save(pictures)
          .forEach(file -> err.println("cairn: wrote " + file));
    }
    return ExitCodes.GOOD;
  }

  private String title() {
    if (options.isGiven()) {
      return "Given pattern";
    }
    return options.optimizer() == Optimizer.EXACT
        ? "Best pattern by exact time"
        : "Best pattern by first order";
  }
}
