package io.cairn.lab.measure;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.WritableFile;
import io.cairn.lab.LabCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command of a benchmark or a proof, which has options of its own and measures. This class
 * prints its report as text, as JSON and as a page. Exits with 1 unless the report passes. One
 * thread.
 */
public abstract class Bench implements LabCommand {
  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--page",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Write the report to FILE as a page of docs/benchmarks.")
  private @Nullable Path page;

  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * Measures, and adds all that is found.
   *
   * @throws IllegalArgumentException naming an option that measures nothing
   */
  protected abstract void measure(BenchReport report) throws IOException, InterruptedException;

  /** The machine, as the report names it; asked for after the measurement. */
  protected MeasuredMachine machine() {
    return MeasuredMachine.current();
  }

  /** Prints a line of progress, formatted with arguments if there are any, on standard error. */
  protected final void progress(String line, Object... arguments) {
    spec.commandLine().getErr().println(BenchReport.formatted(line, arguments));
  }

  @Override
  public final Integer call() throws IOException, InterruptedException {
    BenchReport report = new BenchReport(line(spec));
    measure(report);
    report.end(machine());
    json.print(report.json(), out -> report.lines().forEach(out::println));
    if (page != null) {
      Path directory = page.toAbsolutePath().getParent();
      if (directory != null && !Files.isDirectory(directory)) { // which may be a link
        Files.createDirectories(directory);
      }
      Files.writeString(page, report.page());
    }
    return report.passed() ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  /** The command as it was typed. */
  private static String line(CommandSpec spec) {
    CommandSpec root = spec.root();
    return root.name() + " " + String.join(" ", root.commandLine().getParseResult().originalArgs());
  }
}
