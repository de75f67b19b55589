package io.cairn.lab.bench.pattern;

import io.cairn.lab.bench.flow.Forks;
import io.cairn.lab.bench.flow.Lengths;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.pattern.FailureModel;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Measures everything, one after the other. Used once; one thread. */
final class PatternBenchmarks {
  private static final double OPTIMUM_MICROS = 20_000;
  private static final double EVALUATION_MICROS = 2;
  private static final double EVENTS_PER_SECOND = 10e6;

  private final Lengths lengths;
  private final boolean quick;
  private final BenchReport report;
  private final Consumer<String> progress;
  private final FigureTable timed;
  private final FigureTable simulated;

  /**
   * @param quick whether each measurement is cut short, and not every platform is measured
   * @param report gets all that is found
   * @param progress gets a line per measurement
   */
  PatternBenchmarks(boolean quick, BenchReport report, Consumer<String> progress) {
    this.quick = quick;
    this.report = report;
    this.progress = progress;
    lengths = quick ? Lengths.QUICK : Lengths.FULL;
    report.note("each in a JVM with " + String.join(" ", Forks.jvmArguments()));
    if (quick) {
      report.quick();
    }
    timed = report.table("means per call, and half of the 99.9 % confidence interval");
    simulated = report.table("simulation on one thread: segments, checkpoints and failures");
  }

  /**
   * Runs all.
   *
   * @throws IOException if a measurement fails, naming the log
   */
  void run() throws IOException, InterruptedException {
    List<FourLevels> platforms = quick ? List.of(FourLevels.SET_B) : List.of(FourLevels.values());
    try (Forks forks = new Forks()) {
      for (FourLevels platform : platforms) {
        time(forks, "optimum", platform, FailureModel.EVERYWHERE, OPTIMUM_MICROS);
      }
      for (FailureModel failures : FailureModel.values()) {
        time(forks, "evaluation", FourLevels.SET_B, failures, EVALUATION_MICROS);
      }
      for (FourLevels platform : platforms) {
        simulate(forks, platform, FailureModel.EVERYWHERE);
      }
      simulate(forks, FourLevels.SET_B, FailureModel.COMPUTATION_ONLY);
      simulate(forks, FourLevels.SET_B, FailureModel.ATOMIC_CHAIN_EXCEPT_RECOVERY);
    }
  }

  private void time(
      Forks forks, String method, FourLevels platform, FailureModel failures, double bar)
      throws IOException {
    Map<String, Object> parameters = Map.of("platform", platform, "failures", failures.name());
    Forks.Score score =
        forks.run(PatternBenchmark.class, method, parameters, lengths, Forks.Besides.NOTHING);
    progress.accept(
        String.format(
            Locale.ROOT, "%s, %s, %s: %.3f µs", method, platform, failures, score.micros()));
    add(method, platform, failures, score, bar);
  }

  private void simulate(Forks forks, FourLevels platform, FailureModel failures)
      throws IOException, InterruptedException {
    Map<String, Object> parameters = Map.of("platform", platform, "failures", failures.name());
    Forks.Score score =
        forks.run(
            SimulationBenchmark.class, "simulate", parameters, lengths, Forks.Besides.NOTHING);
    double rate = SimulationBenchmark.events(platform, failures) / score.micros() * 1e6;
    progress.accept(
        String.format(
            Locale.ROOT,
            "simulation, %s, %s: %.1f million events/s",
            platform,
            failures,
            rate / 1e6));
    add(platform, failures, rate);
  }

  /** Adds something that takes time, with its bar. */
  void add(String what, FourLevels platform, FailureModel failures, Forks.Score score, double bar) {
    timed
        .row()
        .add("what", what)
        .add("platform", platform.toString())
        .add("failures", failures.toString())
        .add("µs", score.micros())
        .add("± µs", score.error());
    report.atMost(what + ", " + platform + ", " + failures + ", µs", score.micros(), bar);
  }

  /** Adds a simulation, with its bar. */
  void add(FourLevels platform, FailureModel failures, double eventsPerSecond) {
    simulated
        .row()
        .add("platform", platform.toString())
        .add("failures", failures.toString())
        .add("million events/s", eventsPerSecond / 1e6);
    report.atLeast(
        "simulation, " + platform + ", " + failures + ", million events/s",
        eventsPerSecond / 1e6,
        EVENTS_PER_SECOND / 1e6);
  }
}
