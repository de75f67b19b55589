package io.cairn.cli;

import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code cairn}: finds the subcommand, runs it and turns its end into an exit code. */
@Command(
    name = "cairn",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      ListCommand.class,
      GoodputCommand.class,
      TopCommand.class,
      VerifyCommand.class,
      InspectCommand.class,
      DiffCommand.class,
      CopyCommand.class,
      PruneCommand.class,
      ExplainCommand.class,
      GcCommand.class,
      StagingServerCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      ExitCodes.GOOD + ":done, and what was looked at is good",
      ExitCodes.BAD + ":done, and the verdict is bad: damage, or results that differ",
      ExitCodes.REFUSED + ":not done: wrong usage, or something to put right first",
      ExitCodes.DEFECT + ":not done: a defect in Cairn"
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class Main implements Runnable {
  private static final String DESCRIPTION =
      "%nMulti-level checkpointing for GPU training on the JVM: looks into a store of checkpoints,"
          + " proves that it is whole, and shows Cairn at work.";

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Print the stack of an error as well.")
  private boolean verbose;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(exitCode(commandLine(), arguments));
  }

  /** Java would end with the exit code of damage; and lost output with that of success. */
  static int exitCode(CommandLine line, String... arguments) {
    try {
      int code = line.execute(arguments);
      if (line.getOut().checkError() || System.out.checkError()) {
        line.getErr()
            .println(
                "cairn: the output could not be written: its device is full, or its reader has"
                    + " gone");
        return Math.max(code, ExitCodes.REFUSED);
      }
      return code;
    } catch (Error e) { // such as a lack of memory
      line.getErr().println("cairn: defect: " + e);
      e.printStackTrace(line.getErr());
      return ExitCodes.DEFECT;
    }
  }

  /** The command line with every command that is on the class path. */
  public static CommandLine commandLine() {
    Main main = new Main();
    CommandLine line = new CommandLine(main);
    ServiceLoader.load(CairnCommand.class).forEach(line::addSubcommand);
    line.getCommandSpec().usageMessage().description(DESCRIPTION);
    Errors errors = new Errors(() -> main.verbose);
    line.setParameterExceptionHandler(errors);
    line.setExecutionExceptionHandler(errors);
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }
}
