package io.cairn.cli.simulate;

import io.cairn.cli.CairnCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn simulate}: only its subcommands do something. */
@Command(
    name = "simulate",
    description = "Try schedules on traces, without a machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {TraceCommand.class})
public final class SimulateCommand implements CairnCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "no simulation given");
  }
}
