package io.cairn.lab.prove;

import io.cairn.lab.LabCommand;
import io.cairn.lab.submit.ProveClustersCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn-lab prove}: promises that are tested at length. */
@Command(
    name = "prove",
    description = "Test a promise over many cases, with controls that must fail.",
    subcommands = {ProveResumeCommand.class, ProveCertifyCommand.class, ProveClustersCommand.class},
    synopsisSubcommandLabel = "PROMISE",
    commandListHeading = "%nPromises:%n")
public final class ProveCommand implements LabCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by the command line. */
  public ProveCommand() {}

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "no promise given");
  }
}
