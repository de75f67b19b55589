package io.cairn.lab;

import io.cairn.cli.Program;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code cairn-lab}: the commands that measure, simulate and prove Cairn. */
@Command(name = "cairn-lab")
public final class Laboratory extends Program {
  private static final String DESCRIPTION =
      "The laboratory of Cairn: measures and proves it. It is part of the source tree alone. Its"
          + " studies are adjoint, model, pattern, reproduce, schedule and simulate.";

  private Laboratory() {}

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(exitCode(commandLine(), arguments));
  }

  /** The command line with every {@link LabCommand} that is on the class path. */
  public static CommandLine commandLine() {
    return new Laboratory().commandLine(DESCRIPTION, LabCommand.class);
  }
}
