package io.cairn.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * A command line that ran, as a user would see it.
 *
 * @param exit the exit code
 * @param out what it printed
 * @param err what it printed as errors
 */
public record CommandRun(int exit, String out, String err) {
  /** Runs {@code cairn} with these arguments. */
  public static CommandRun of(String... arguments) {
    return of(Main.commandLine(), arguments);
  }

  /** Runs a command line with these arguments. */
  public static CommandRun of(CommandLine line, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    int exit = line.execute(arguments);
    return new CommandRun(exit, out.toString(), err.toString());
  }

  /** The lines that it printed. */
  public List<String> lines() {
    return out.lines().toList();
  }
}
