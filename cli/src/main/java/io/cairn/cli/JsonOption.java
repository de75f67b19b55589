package io.cairn.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The options {@code --json} and {@code --output FILE} of a command that reports, as a mixin.
 * Without them, a report is text on standard output. With {@code --json} nothing but JSON goes to
 * standard output. With {@code --output} the JSON goes to that file: beside the text, or with
 * {@code --json} in place of standard output, and the text then goes to standard error. Not
 * thread-safe, but for {@link #remarks()}.
 */
public final class JsonOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(names = "--json", description = "Print JSON, and nothing else.")
  private boolean json;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Write the JSON to FILE; an older one is replaced.")
  private @Nullable Path file;

  /** Made by the command line. */
  public JsonOption() {}

  /**
   * Prints the report of the command.
   *
   * @param report what {@link Json#text} takes
   * @param text prints the report for people
   * @throws IOException naming the file, if it cannot be written
   */
  public void print(Object report, Consumer<PrintWriter> text) throws IOException {
    if (file == null && json) {
      out().println(Json.text(report));
      return;
    }
    text.accept(remarks()); // first: the file may have become one that cannot be written
    if (file != null) {
      Json.write(file, report);
    }
  }

  /** Whether a report is asked for as JSON; a command that repeats its text then reports once. */
  public boolean isChosen() {
    return json || file != null;
  }

  /** Takes what a command says besides its report: standard output where that has no JSON. */
  public PrintWriter remarks() {
    return json ? command.commandLine().getErr() : out();
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }
}
