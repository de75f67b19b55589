package io.cairn.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * A program of commands: finds the command, runs it and turns its end into an exit code. A subclass
 * gives name, description and commands of its own.
 */
@Command(
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      ExitCodes.GOOD + ":done, and what was looked at is good",
      ExitCodes.BAD + ":done, and the verdict is bad: damage, or results that differ and must not",
      ExitCodes.REFUSED + ":not done: wrong usage, or something to put right first",
      ExitCodes.DEFECT + ":not done: a defect in Cairn"
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
public abstract class Program implements Runnable {
  /** Standard output of this process, where the system tells what that is. */
  private static final Path OUTPUT = Path.of("/proc/self/fd/1");

  // of a file's mode, by POSIX
  private static final int FILE_TYPE = 0xF000;
  private static final int FIFO = 0x1000;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Print the stack of an error as well.")
  private boolean verbose;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** For subclasses. */
  protected Program() {}

  /**
   * The command line of this program.
   *
   * @param description one sentence for the help; commands do not inherit it
   * @param services the interface by which commands of other modules are found on the class path
   */
  protected final CommandLine commandLine(
      String description, Class<? extends CairnCommand> services) {
    CommandLine line = new CommandLine(this);
    ServiceLoader.load(services).forEach(line::addSubcommand);
    line.getCommandSpec().usageMessage().description("%n" + description);
    Errors errors = new Errors(() -> verbose);
    line.setParameterExceptionHandler(errors);
    line.setExecutionExceptionHandler(errors);
    return line;
  }

  /**
   * Runs a command line, and returns the exit code. Java would end with the exit code of damage;
   * and lost output with that of success. A reader that has gone wanted no more, so the code is
   * that of the command.
   */
  public static int exitCode(CommandLine line, String... arguments) {
    return exitCode(line, OUTPUT, arguments);
  }

  /** Runs a command line whose output goes to a descriptor. */
  static int exitCode(CommandLine line, Path output, String... arguments) {
    try {
      int code = line.execute(arguments);
      if ((line.getOut().checkError() || System.out.checkError()) && !isPipe(output)) {
        line.getErr()
            .println("cairn: the output could not be written: its device is full, or is gone");
        return Math.max(code, ExitCodes.REFUSED);
      }
      return code;
    } catch (Error e) { // such as a lack of memory
      line.getErr().println("cairn: defect: " + e);
      e.printStackTrace(line.getErr());
      return ExitCodes.DEFECT;
    }
  }

  /** Whether a write to a descriptor of this process fails if its reader has gone. */
  private static boolean isPipe(Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      return target.startsWith("pipe:") || target.startsWith("socket:") || isFifo(descriptor);
    } catch (IOException e) {
      return false; // another system, whose message is no more than too much
    }
  }

  /** A pipe with a name, as {@code mkfifo} makes it. */
  private static boolean isFifo(Path path) throws IOException {
    return ((int) Files.getAttribute(path, "unix:mode") & FILE_TYPE) == FIFO;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }
}
