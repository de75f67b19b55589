package io.cairn.lab.study.simulate;

import io.cairn.lab.LabCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn-lab simulate}: the simulators, each a command of its own below this one. */
@Command(
    name = "simulate",
    hidden = true,
    description = "Simulate what a job would meet.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      SimulatePatternCommand.class,
      TraceCommand.class,
      SimulateClusterCommand.class,
      SimulateWeekCommand.class
    })
public final class SimulateCommand implements LabCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by the service loader. */
  public SimulateCommand() {}

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "nothing to simulate given");
  }
}
