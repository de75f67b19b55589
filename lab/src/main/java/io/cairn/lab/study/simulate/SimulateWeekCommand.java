package io.cairn.lab.study.simulate;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Table;
import io.cairn.lab.study.cluster.Week;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
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
      description = "How many, at least " + Week.FEWEST_GROUPS + " (${DEFAULT-VALUE}).")
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
    if (groups < Week.FEWEST_GROUPS || seconds < 10) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--groups %d, --seconds %d: at least %d and 10",
              groups,
              seconds,
              Week.FEWEST_GROUPS));
    }
    Week.Report report = Week.run(groups, Duration.ofSeconds(seconds));
    json.print(report, out -> print(report, out));
    return report.grown().isEmpty() ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private static void print(Week.Report report, PrintWriter out) {
    Table table = new Table("", ">early", ">at the end");
    row(table, "groups", report, Week.Use::groups);
    row(table, "heap (bytes)", report, Week.Use::heapBytes);
    row(table, "descriptors", report, Week.Use::descriptors);
    row(table, "mappings", report, Week.Use::mappings);
    row(table, "shared memory (bytes)", report, Week.Use::sharedBytes);
    row(table, "files at NODE", report, Week.Use::filesAtNode);
    row(table, "files at STORE", report, Week.Use::filesAtStore);
    row(table, "bytes promised", report, Week.Use::promisedBytes);
    row(table, "containers staged", report, Week.Use::staged);
    row(table, "remembered entries", report, SimulateWeekCommand::remembered);
    table.lines().forEach(out::println);
    report.grown().forEach(what -> out.println("FAILED, it grows: " + what));
    out.printf(Locale.ROOT, "%.1f s%n", report.seconds());
  }

  private static void row(
      Table table, String what, Week.Report report, ToLongFunction<Week.Use> of) {
    table.row(what, of.applyAsLong(report.early()), of.applyAsLong(report.end()));
  }

  private static long remembered(Week.Use use) {
    return use.entries().values().stream().mapToLong(Integer::longValue).sum();
  }
}
