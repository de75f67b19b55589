package io.cairn.lab.study.simulate;

import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.cluster.Week;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
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
final class SimulateWeekCommand extends Bench {
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

  @Override
  protected void measure(BenchReport report) throws IOException {
    if (groups < Week.FEWEST_GROUPS || seconds < 10) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--groups %d, --seconds %d: at least %d and 10",
              groups,
              seconds,
              Week.FEWEST_GROUPS));
    }
    Week.Report week = Week.run(groups, Duration.ofSeconds(seconds));
    FigureTable table = report.table("what the process uses");
    add(table, "groups", week, Week.Use::groups);
    add(table, "heap (bytes)", week, Week.Use::heapBytes);
    add(table, "descriptors", week, Week.Use::descriptors);
    add(table, "mappings", week, Week.Use::mappings);
    add(table, "shared memory (bytes)", week, Week.Use::sharedBytes);
    add(table, "files at NODE", week, Week.Use::filesAtNode);
    add(table, "files at STORE", week, Week.Use::filesAtStore);
    add(table, "bytes promised", week, Week.Use::promisedBytes);
    add(table, "containers staged", week, Week.Use::staged);
    add(table, "remembered entries", week, SimulateWeekCommand::remembered);
    week.grown().forEach(what -> report.note("it grows: " + what));
    report.holds("nothing grows with the groups that ended", week.grown().isEmpty());
  }

  private static void add(
      FigureTable table, String what, Week.Report week, ToLongFunction<Week.Use> of) {
    table
        .row()
        .add("", what)
        .add("early", of.applyAsLong(week.early()))
        .add("at the end", of.applyAsLong(week.end()));
  }

  private static long remembered(Week.Use use) {
    return use.entries().values().stream().mapToLong(Integer::longValue).sum();
  }
}
