package io.cairn.lab.bench.failover;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.lab.bench.failover.FailoverBenchmark.Found;
import io.cairn.lab.bench.failover.FailoverBenchmark.Soaked;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench failover}: how soon a rank goes on when its executor is killed. */
@Command(
    name = "failover",
    description = {
      "Kill executors with ranks, and measure how soon a standby goes on with the rank.",
      "%nThe executors are processes of this machine. Each kill waits until every rank trains and"
          + " every standby waits, so that it takes as long as an executor needs to start: 5 s on"
          + " an idle machine. A recovery ends with the rank's next iteration. Exits with 1 unless"
          + " the median is at most 1 s, p99 at most 2 s, no kill costs more than one iteration,"
          + " ETTR is at least 0.97, and all digests are those of undisturbed ranks."
    })
public final class BenchFailoverCommand extends Bench {
  private static final double MOST_P50_MILLIS = 1000;
  private static final double MOST_P99_MILLIS = 2000;
  private static final double LEAST_ETTR = 0.97;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "200",
      description = "Kills with a standby, at least 1 (${DEFAULT-VALUE}).")
  private int kills;

  @Option(
      names = "--without",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Kills without a standby, and as many with an executor that has no task"
              + " (${DEFAULT-VALUE}).")
  private int without;

  @Option(
      names = "--soak",
      paramLabel = "MINUTES",
      defaultValue = "0",
      description = "Also kill at random moments for so long, and report ETTR (${DEFAULT-VALUE}).")
  private double soak;

  @Option(
      names = "--mtbf",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Mean time between the kills of the soak (${DEFAULT-VALUE}).")
  private double mtbf;

  @Option(
      names = "--step",
      paramLabel = "MILLIS",
      defaultValue = "50",
      description = "Of an iteration (${DEFAULT-VALUE}).")
  private int step;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Of the victims and moments (${DEFAULT-VALUE}).")
  private long seed;

  /** Made by the command line. */
  public BenchFailoverCommand() {}

  @Override
  protected void measure(BenchReport report) throws IOException, InterruptedException {
    if (kills < 1 || without < 0 || !(soak >= 0) || !(mtbf > 0)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--kills %d, --without %d, --soak %s, --mtbf %s: at least 1, 0 and 0, and above 0",
              kills,
              without,
              soak,
              mtbf));
    }
    FailoverBenchmark benchmark = new FailoverBenchmark(seed, this::progress);
    FigureTable table =
        report.table(
            "recoveries, from the signal to the end of the rank's next iteration of %d ms; time"
                + " until the rank is restored; iterations that were computed again",
            step);
    judge(report, add(table, "standby", new FailoverPlan(2, 1, 0, step), benchmark, kills));
    if (without > 0) {
      identical(report, add(table, "nothing", new FailoverPlan(2, 0, 0, step), benchmark, without));
      identical(
          report, add(table, "idle executor", new FailoverPlan(2, 0, 1, step), benchmark, without));
    }
    if (soak > 0) {
      soak(report, benchmark, table.row().add("beside", "two standbys, at random moments"));
    }
  }

  private static FigureTable.Row add(
      FigureTable table, String beside, FailoverPlan plan, FailoverBenchmark benchmark, int kills)
      throws IOException, InterruptedException {
    Found found = benchmark.kill(plan, kills);
    return found
        .kills()
        .report(table.row().add("beside", beside))
        .add("identical", found.identical());
  }

  /** Holds the kills with a standby against their bars. */
  static void judge(BenchReport report, FigureTable.Row row) {
    report.atMost("recovery, ms, p50", row.number("recovery p50 ms"), MOST_P50_MILLIS);
    report.atMost("recovery, ms, p99", row.number("recovery p99 ms"), MOST_P99_MILLIS);
    report.atMost("iterations that a kill cost", row.number("lost max"), 1);
    identical(report, row);
  }

  private static void identical(BenchReport report, FigureTable.Row row) {
    report.holds(
        "beside " + row.get("beside") + ": digests those of undisturbed ranks",
        Boolean.TRUE.equals(row.get("identical")));
  }

  private void soak(BenchReport report, FailoverBenchmark benchmark, FigureTable.Row row)
      throws IOException, InterruptedException {
    Soaked result = benchmark.soak(new FailoverPlan(1, 2, 0, step), soak, mtbf);
    result.found().kills().report(row).add("identical", result.found().identical());
    identical(report, row);
    report.atLeast("ETTR", result.ettr(), LEAST_ETTR);
    FigureTable account =
        report.table(
            "ranks of a soak of %.0f min, a kill each %.0f s on average, by cairn goodput",
            soak, mtbf);
    for (JsonNode group : result.groups()) {
      FigureTable.Row of = account.row().add("rank", group.get("group").asText());
      of.add("seconds", group.at("/all/seconds").asDouble());
      of.add("ETTR", group.at("/all/ettr").asDouble());
      group
          .at("/all/causes")
          .fields()
          .forEachRemaining(cause -> of.add(cause.getKey() + " s", cause.getValue().asDouble()));
    }
  }
}
