package io.cairn.lab.calculate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.cli.ExitCodes;
import io.cairn.lab.pattern.WasteModel;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn model waste}: one periodic checkpoint, blocking or not. */
@Command(
    name = "waste",
    description = {
      "Period and waste of a checkpoint of one level that may be written while the job runs on.",
      "",
      "A line: {\"params\": {…}, \"mu\": mean time between failures}, in seconds. Of params:"
          + " Ctotal until a checkpoint is written; Coverhead, how long of it the job stands still"
          + " (default: Ctotal); R a recovery (0); D the downtime before it (0). \"T\", if given,"
          + " is the period to evaluate.",
      "",
      "Adds optimalPeriodSeconds and waste, at T or else at that period; and"
          + " leastWastePeriodSeconds and leastWaste, which differ if the checkpoint does not"
          + " block."
    })
final class WasteCommand implements Callable<Integer> {
  @Option(
      names = "--input",
      required = true,
      paramLabel = "FILE",
      description = "Lines of JSON; - for standard input.")
  private String input = "-";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    JsonLines.answer(input, System.in, spec.commandLine().getOut(), WasteCommand::answer);
    return ExitCodes.GOOD;
  }

  static void answer(ObjectNode line) {
    JsonNode params = JsonLines.params(line);
    double total = JsonLines.number(params, "Ctotal");
    WasteModel model =
        new WasteModel(
            total,
            JsonLines.number(params, "Coverhead", total),
            JsonLines.number(params, "R", 0),
            JsonLines.number(params, "D", 0));
    double mtbf = JsonLines.number(line.hasNonNull("mu") ? line : params, "mu");
    double period = model.optimalPeriodSeconds(mtbf);
    double least = model.leastWastePeriodSeconds(mtbf);
    line.put("optimalPeriodSeconds", period);
    line.put("waste", model.waste(JsonLines.number(line, "T", period), mtbf));
    line.put("leastWastePeriodSeconds", least);
    line.put("leastWaste", model.waste(least, mtbf));
  }
}
