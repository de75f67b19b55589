package io.cairn.lab.gpu.kit;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.Json;
import io.cairn.lab.gpu.kit.KitReport.PartReport;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code run.sh}: runs all parts one after the other, prints a line for each, and writes one
 * report. Ends with 0 if all that ran passed, with 1 if not, and with 2 for wrong arguments.
 */
public final class Kit {
  private final KitOptions options;
  private final PrintStream out;
  private final List<PartReport> parts = new ArrayList<>();

  private Kit(KitOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /** Runs the kit with the arguments of {@code run.sh}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    KitOptions options;
    try {
      options = KitOptions.parse(Arrays.asList(args));
    } catch (IllegalArgumentException e) {
      String labels =
          Stream.of(KitPart.values()).map(KitPart::label).collect(Collectors.joining(","));
      System.err.println(e.getMessage() + "\n" + KitOptions.USAGE + " " + labels);
      System.exit(ExitCodes.REFUSED);
      return;
    }
    System.exit(new Kit(options, System.out).run() ? ExitCodes.GOOD : ExitCodes.BAD);
  }

  private boolean run() throws IOException, InterruptedException {
    String date = Instant.now().toString();
    for (KitPart part : KitPart.values()) {
      out.printf("%-10s ...%n", part.label());
      PartReport report = report(part);
      parts.add(report);
      print(report);
      write(date); // after each part, so that a run that is ended leaves what it has
    }
    KitReport report = write(date);
    out.printf("%s; report in %s%n", report.passed() ? "passed" : "FAILED", options.json());
    return report.passed();
  }

  private PartReport report(KitPart part) throws InterruptedException {
    if (!options.parts().contains(part)) {
      return PartReport.skipped(part, "not asked for");
    } else if (part != KitPart.MACHINE && !parts.get(0).state().equals(KitReport.PASSED)) {
      return PartReport.skipped(part, "no usable GPU: " + parts.get(0).reason());
    }
    return PartRun.of(part, options);
  }

  private void print(PartReport report) {
    String reason = report.reason().isEmpty() ? "" : ": " + report.reason();
    out.printf(
        Locale.ROOT,
        "%-10s %s, %.1f s%s%n",
        report.part(),
        report.state(),
        report.seconds(),
        reason);
    if (!report.answers().isEmpty()) {
      long other = report.answers().stream().filter(answer -> !answer.agrees()).count();
      out.printf(
          Locale.ROOT,
          "  %d answers, of which %d differ from the fake%n",
          report.answers().size(),
          other);
    }
    report.answers().stream()
        .filter(answer -> !answer.agrees())
        .forEach(
            answer ->
                out.printf(
                    "  %s: %s (the fake: %s)%n",
                    answer.question(), answer.seen(), answer.assumed()));
    report
        .figures()
        .forEach(
            figure ->
                out.printf(
                    "  %s: %s %s  %s %s%n",
                    figure.name(), figure.value(), figure.unit(), figure.bar(), figure.verdict()));
  }

  private KitReport write(String date) throws IOException {
    boolean none = parts.stream().noneMatch(part -> part.state().equals(KitReport.FAILED));
    boolean machine = parts.get(0).state().equals(KitReport.PASSED);
    KitReport report =
        new KitReport(
            date,
            options.library(),
            options.small(),
            parts.get(0).answer(MachinePart.GPU),
            parts.get(0).answer(MachinePart.DRIVER),
            none && machine,
            List.copyOf(parts));
    Json.write(options.json(), report);
    return report;
  }
}
