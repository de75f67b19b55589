package io.cairn.lab.study.simulate;

import io.cairn.cli.Units;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.calculate.PatternOptions;
import io.cairn.lab.study.failure.ExponentialFailures;
import io.cairn.lab.study.failure.FailureSource;
import io.cairn.lab.study.failure.Sampling;
import io.cairn.lab.study.failure.SimulationResult;
import io.cairn.lab.study.failure.WeibullFailures;
import io.cairn.lab.study.failure.WeibullFailures.Interval;
import io.cairn.lab.study.pattern.CheckpointLevel;
import io.cairn.lab.study.pattern.CheckpointPattern;
import io.cairn.lab.study.pattern.EvaluatedPattern;
import io.cairn.lab.study.pattern.LevelStack;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn-lab simulate pattern}: a checkpoint pattern under random or recorded failures. */
@Command(
    name = "pattern",
    description = {
      "Simulate a job that repeats a checkpoint pattern under failures.",
      "Takes the pattern that 'cairn-lab pattern' finds with the same options, or the one they"
          + " give."
    })
final class SimulatePatternCommand extends Bench {
  @Mixin private PatternOptions options = new PatternOptions();

  @Option(names = "--runs", paramLabel = "N", description = "Independent runs. Default: 100000.")
  private long runs = 100_000;

  @Option(
      names = "--patterns",
      paramLabel = "N",
      description = "Patterns that each run completes. Default: 1.")
  private int patternsPerRun = 1;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Of all randomness; the same one gives the same results. Default: 0.")
  private long seed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "They do not change the results. Default: one per core.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--failure-log",
      paramLabel = "CSV",
      description =
          "Failures that happened, one 'seconds,level' per line in order of time, in place of"
              + " random ones. Each run replays them from their beginning, so one is enough.")
  private @Nullable Path failureLog;

  @Option(
      names = "--weibull-shape",
      paramLabel = "K",
      description =
          "Draw the times between failures of a level from a Weibull distribution of this shape"
              + " and the level's mean, all levels as good as new when a run begins.")
  private @Nullable Double shape;

  @Override
  protected void measure(BenchReport report) throws IOException, InterruptedException {
    Sampling sampling = new Sampling(runs, patternsPerRun, seed, threads);
    LevelStack levels = options.levels();
    FailureSource failures = failures(levels);
    EvaluatedPattern best = options.calculate(levels).best();
    CheckpointPattern pattern = best.pattern();
    SimulationResult result =
        PatternSimulation.of(levels, options.assumptions(), pattern, failures).run(sampling);
    FigureTable overheads =
        report.table(
            "run time per work, minus 1: %,d runs of %s, seed %d, %,d events",
            result.runs(), Units.count(patternsPerRun, "pattern"), seed, result.events());
    overheads
        .row()
        .add("", "simulated")
        .add("overhead %", 100 * result.overhead())
        .add("± at 95 %", 100 * result.ci95Overhead())
        .add("± at 99 %", 100 * result.ci99Overhead())
        .add("work s", result.workSeconds())
        .add("run s", result.meanSeconds());
    if (failures instanceof ExponentialFailures && Double.isFinite(best.exact())) {
      double seconds = result.meanSeconds() / (1 + result.overhead()) * (1 + best.exact());
      overheads
          .row()
          .add("", "exact")
          .add("overhead %", 100 * best.exact())
          .add("work s", result.workSeconds())
          .add("run s", seconds);
    }
    FigureTable rollbacks = report.table("recoveries begun, of all runs");
    double patterns = (double) result.runs() * patternsPerRun;
    for (int i = 0; i < pattern.subset().size(); i++) {
      int level = pattern.subset().get(i);
      rollbacks
          .row()
          .add("level", level)
          .add("name", levels.level(level).name())
          .add("checkpoints", pattern.totals().get(i))
          .add("rollbacks", result.rollbacks().get(i))
          .add("per pattern", result.rollbacks().get(i) / patterns);
    }
  }

  private FailureSource failures(LevelStack levels) throws IOException {
    if (failureLog != null && shape != null) {
      throw new IllegalArgumentException(
          "--weibull-shape draws failures and --failure-log replays them; give one of them");
    }
    if (failureLog != null) {
      FailureSource recorded = FailureLog.read(failureLog);
      if (recorded.levels() > levels.size()) {
        throw new IllegalArgumentException(
            failureLog
                + ": has failures of level "
                + recorded.levels()
                + "; the platform has "
                + levels.size()
                + " levels");
      }
      return recorded;
    }
    if (shape != null) {
      double given = shape;
      return new WeibullFailures(
          levels.levels().stream().map(each -> new Interval(given, each.mtbfSeconds())).toList());
    }
    return new ExponentialFailures(
        levels.levels().stream().map(CheckpointLevel::failuresPerSecond).toList());
  }
}
