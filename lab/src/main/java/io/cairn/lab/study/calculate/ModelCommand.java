package io.cairn.lab.study.calculate;

import io.cairn.lab.LabCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn-lab model}: models of checkpoints, line by line. */
@Command(
    name = "model",
    hidden = true,
    description = "Evaluate a model of checkpoints for each line of JSON.",
    subcommands = {NonBlockingCommand.class, WasteCommand.class},
    synopsisSubcommandLabel = "MODEL",
    commandListHeading = "%nModels:%n")
public final class ModelCommand implements LabCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "no model given");
  }
}
