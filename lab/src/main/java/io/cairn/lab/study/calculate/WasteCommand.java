package io.cairn.lab.study.calculate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.lab.study.line.LineCommand;
import io.cairn.lab.study.pattern.WasteModel;
import picocli.CommandLine.Command;

/** {@code cairn-lab model waste}: one periodic checkpoint, blocking or not. */
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
final class WasteCommand extends LineCommand {
  @Override
  protected void answer(ObjectNode line) {
    JsonNode params = params(line);
    double total = number(params, "Ctotal");
    WasteModel model =
        new WasteModel(
            total,
            number(params, "Coverhead", total),
            number(params, "R", 0),
            number(params, "D", 0));
    double mtbf = number(line.hasNonNull("mu") ? line : params, "mu");
    double period = model.optimalPeriodSeconds(mtbf);
    double least = model.leastWastePeriodSeconds(mtbf);
    line.put("optimalPeriodSeconds", period);
    line.put("waste", model.waste(number(line, "T", period), mtbf));
    line.put("leastWastePeriodSeconds", least);
    line.put("leastWaste", model.waste(least, mtbf));
  }
}
