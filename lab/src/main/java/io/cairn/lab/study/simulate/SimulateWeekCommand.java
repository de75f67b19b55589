package io.cairn.lab.study.simulate;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.lab.study.cluster.Week;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn-lab simulate week}: groups that come and go, and what they leave behind. */
@Command(
    name = "week",
    description = {
      "Train short groups one after the other, in virtual time, with real caches, sessions,"
          + " coordinators and directories.",
      "Exits with 1 if heap, descriptors, shared memory, files or remembered entries grow with the"
          + " groups that ended."
    })
final class SimulateWeekCommand implements Callable<Integer> {
  /** By default one each five minutes of seven days. */
  @Option(
      names = "--groups",
      paramLabel = "N",
      defaultValue = "2016",
      description = "How many, at least 20 (${DEFAULT-VALUE}).")
  private int groups;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "300",
      description = "Virtual time of each, at least 10 (${DEFAULT-VALUE}).")
  private long seconds;

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    if (groups < 20 || seconds < 10) {
      throw new IllegalArgumentException(
          "--groups " + groups + ", --seconds " + seconds + ": at least 20 and 10");
    }
    Week.Report report = Week.run(groups, Duration.ofSeconds(seconds));
    json.print(report, out -> print(report, out));
    return report.grown().isEmpty() ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private static void print(Week.Report report, PrintWriter out) {
    Week.Use early = report.early();
    Week.Use end = report.end();
    out.printf("%-24s %12s %12s%n", "groups", early.groups(), end.groups());
    out.printf(
        Locale.ROOT, "%-24s %12d %12d%n", "heap (bytes)", early.heapBytes(), end.heapBytes());
    out.printf(
        Locale.ROOT, "%-24s %12d %12d%n", "descriptors", early.descriptors(), end.descriptors());
    out.printf(Locale.ROOT, "%-24s %12d %12d%n", "mappings", early.mappings(), end.mappings());
    out.printf(
        Locale.ROOT,
        "%-24s %12d %12d%n",
        "shared memory (bytes)",
        early.sharedBytes(),
        end.sharedBytes());
    out.printf(
        Locale.ROOT, "%-24s %12d %12d%n", "files at NODE", early.filesAtNode(), end.filesAtNode());
    out.printf(
        Locale.ROOT,
        "%-24s %12d %12d%n",
        "files at STORE",
        early.filesAtStore(),
        end.filesAtStore());
    out.printf(
        Locale.ROOT,
        "%-24s %12d %12d%n",
        "bytes promised",
        early.promisedBytes(),
        end.promisedBytes());
    out.printf(Locale.ROOT, "%-24s %12d %12d%n", "containers staged", early.staged(), end.staged());
    out.printf(Locale.ROOT, "%-24s %12d %12d%n", "remembered entries", sum(early), sum(end));
    report.grown().forEach(what -> out.println("FAILED, it grows: " + what));
    out.printf(Locale.ROOT, "%.1f s%n", report.seconds());
  }

  private static int sum(Week.Use use) {
    return use.entries().values().stream().mapToInt(Integer::intValue).sum();
  }
}
