package io.cairn.lab.bench.failover;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.lab.LabCommand;
import io.cairn.lab.bench.failover.FailoverBenchmark.Found;
import io.cairn.lab.bench.failover.FailoverBenchmark.Soaked;
import io.cairn.lab.bench.failover.FailoverReport.Others;
import io.cairn.lab.bench.failover.FailoverReport.Soak;
import io.cairn.lab.measure.MeasuredMachine;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
public final class BenchFailoverCommand implements LabCommand {
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

  @Mixin private JsonOption json = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by the command line. */
  public BenchFailoverCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
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
    PrintWriter progress = spec.commandLine().getErr();
    FailoverReport report = measure(new FailoverBenchmark(seed, progress::println));
    json.print(report, out -> print(report, out));
    return report.problems().isEmpty() ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private FailoverReport measure(FailoverBenchmark benchmark)
      throws IOException, InterruptedException {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    FailoverPlan plan = new FailoverPlan(2, 1, 0, step);
    Found found = benchmark.kill(plan, kills);
    boolean identical = found.identical();
    Others bare = null;
    Others idle = null;
    Soak soaked = null;
    if (without > 0) {
      Found first = benchmark.kill(new FailoverPlan(2, 0, 0, step), without);
      Found second = benchmark.kill(new FailoverPlan(2, 0, 1, step), without);
      bare = first.kills().others();
      idle = second.kills().others();
      identical &= first.identical() && second.identical();
    }
    if (soak > 0) {
      FailoverPlan one = new FailoverPlan(1, 2, 0, step);
      Soaked result = benchmark.soak(one, soak, mtbf);
      identical &= result.found().identical();
      soaked = soak(one, result);
    }
    return new FailoverReport(
        Instant.now().toString(),
        MeasuredMachine.current(),
        load,
        plan,
        found.kills().count(),
        found.kills().recoveryMillis(),
        found.kills().joinMillis(),
        found.kills().lost(),
        bare,
        idle,
        identical,
        soaked);
  }

  private Soak soak(FailoverPlan plan, Soaked result) {
    return new Soak(
        soak,
        mtbf,
        result.found().kills().count(),
        plan.standbys(),
        result.found().kills().recoveryMillis(),
        result.ettr(),
        result.groups());
  }

  private static void print(FailoverReport report, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s%n%s, load %.1f%n%n",
        report.machine(),
        report.date(),
        report.loadAverage());
    out.printf(
        Locale.ROOT,
        "%d kills with a standby: %.0f ms (median), %.0f ms (p99), %.0f ms (longest);"
            + " restored after %.0f ms (median); lost iterations %d (median), %d (most)%n",
        report.kills(),
        report.recoveryMillis().p50(),
        report.recoveryMillis().p99(),
        report.recoveryMillis().max(),
        report.joinMillis().p50(),
        report.lostIterations().p50(),
        report.lostIterations().max());
    print("without", report.withoutStandby(), out);
    print("with an idle executor instead", report.idleExecutor(), out);
    Soak soak = report.soak();
    if (soak != null) {
      out.printf(
          Locale.ROOT,
          "soak of %.0f min, a kill each %.0f s on average, %d kills: ETTR %.4f%n",
          soak.minutes(),
          soak.mtbfSeconds(),
          soak.kills(),
          soak.ettr());
    }
    out.println("digests " + (report.identical() ? "identical" : "DIFFER"));
    List<String> problems = report.problems();
    problems.forEach(problem -> out.println("NOT MET: " + problem));
  }

  private static void print(String how, @Nullable Others others, PrintWriter out) {
    if (others != null) {
      out.printf(
          Locale.ROOT,
          "%d kills %s: %.0f ms (median), %.0f ms (p99)%n",
          others.kills(),
          how,
          others.recoveryMillis().p50(),
          others.recoveryMillis().p99());
    }
  }
}
