package io.cairn.cli;

import java.util.Objects;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code cairn}: the commands for those who run trainings. */
@Command(
    name = "cairn",
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
      GenerateCompletion.class
    })
public final class Main extends Program {
  private static final String DESCRIPTION =
      "Multi-level checkpointing for GPU training on the JVM: looks into a store of checkpoints,"
          + " proves that it is whole, and shows Cairn at work.";

  private Main() {}

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(exitCode(commandLine(), arguments));
  }

  /** The command line with every {@link CairnCommand} that is on the class path. */
  public static CommandLine commandLine() {
    CommandLine line = new Main().commandLine(DESCRIPTION, CairnCommand.class);
    CommandLine completion =
        Objects.requireNonNull(line.getSubcommands().get("generate-completion"));
    // the page names it; the help has room for what is used again and again
    completion.getCommandSpec().usageMessage().hidden(true);
    return line;
  }
}
