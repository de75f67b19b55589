package io.cairn.lab.submit;

import io.cairn.lab.LabCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn-lab cluster}: a cluster to try jobs on. */
@Command(
    name = "cluster",
    description = "A Spark cluster on this machine, to try jobs on.",
    subcommands = ClusterUpCommand.class,
    synopsisSubcommandLabel = "ACTION",
    commandListHeading = "%nActions:%n")
public final class ClusterCommand implements LabCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by the command line. */
  public ClusterCommand() {}

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "no action given");
  }
}
