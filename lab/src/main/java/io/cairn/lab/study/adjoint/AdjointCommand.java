package io.cairn.lab.study.adjoint;

import io.cairn.lab.LabCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn-lab adjoint}: workloads that store states forward and read them backward. */
@Command(
    name = "adjoint",
    hidden = true,
    description = "Plan workloads that store states forward and read them backward.",
    subcommands = SolveCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n")
public final class AdjointCommand implements LabCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }
}
