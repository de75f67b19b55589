package io.cairn.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Stands for the commands of other modules. */
@Command(name = "greet", description = "Greets, for a test.")
public final class GreetCommand implements CairnCommand {
  static String lastName = "";

  @Parameters private String name = "";

  @Override
  public Integer call() {
    lastName = name;
    return ExitCodes.BAD;
  }
}
