package io.cairn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cairn top}: the figures of a job that runs. */
@Command(
    name = "top",
    description = {
      "Print the ranks of a running job, until Ctrl-C.",
      "Reads them from Spark's UI, or of an ended job from Spark's history server."
    })
final class TopCommand implements Callable<Integer> {
  private static final String CLEAR = "\u001b[H\u001b[2J";

  @Parameters(
      paramLabel = "UI",
      arity = "0..1",
      description = "The address of the UI. Default: ${DEFAULT-VALUE}")
  private String ui = "http://localhost:4040";

  @Option(names = "--every", paramLabel = "SECONDS", description = "Default: ${DEFAULT-VALUE}")
  private int everySeconds = 2;

  @Option(names = "--once", description = "Print the figures once.")
  private boolean once;

  @Mixin private JsonOption json = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    LiveJob job = job();
    if (once || json.isChosen()) {
      JsonNode figures = job.read();
      json.print(figures, out -> out.println(text(figures)));
      return ExitCodes.GOOD;
    }
    PrintWriter out = spec.commandLine().getOut();
    do {
      // read first: a job that has ended leaves its last figures on the screen
      String text = text(job.read());
      out.println(CLEAR + text);
      out.flush();
      Thread.sleep(Duration.ofSeconds(everySeconds).toMillis());
    } while (!out.checkError()); // whose reader has gone
    return ExitCodes.GOOD;
  }

  private static String text(JsonNode figures) {
    return String.join(System.lineSeparator(), new LiveFigures(figures).lines());
  }

  private LiveJob job() {
    if (everySeconds < 1) {
      throw new ParameterException(spec.commandLine(), "--every: at least 1 second");
    }
    try {
      return new LiveJob(ui);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
