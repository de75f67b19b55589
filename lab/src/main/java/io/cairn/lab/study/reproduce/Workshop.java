package io.cairn.lab.study.reproduce;

import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.chart.Pictures;
import io.cairn.lab.study.failure.ExponentialFailures;
import io.cairn.lab.study.failure.Sampling;
import io.cairn.lab.study.failure.SimulationResult;
import io.cairn.lab.study.pattern.CheckpointLevel;
import io.cairn.lab.study.pattern.CheckpointPattern;
import io.cairn.lab.study.pattern.CostModel;
import io.cairn.lab.study.pattern.FailureModel;
import io.cairn.lab.study.pattern.LevelStack;
import io.cairn.lab.study.pattern.PatternAssumptions;
import io.cairn.lab.study.pattern.PatternCalculator;
import io.cairn.lab.study.pattern.RecoveryCost;
import io.cairn.lab.study.simulate.PatternSimulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tools of all exhibits. Not thread-safe. */
final class Workshop {
  /** The assumptions under which simulations come out as the pattern paper's. */
  static final PatternAssumptions AS_SIMULATED =
      new PatternAssumptions(
          CostModel.INDEPENDENT, FailureModel.ATOMIC_CHAIN_EXCEPT_RECOVERY, RecoveryCost.OWN);

  private final Published published;
  private final Pictures pictures;
  private final BenchReport report;
  private final long runs;
  private final Runnable onStep;
  private long nextSeed;

  Workshop(
      Published published,
      Pictures pictures,
      BenchReport report,
      long runs,
      long seed,
      Runnable onStep) {
    this.published = published;
    this.pictures = pictures;
    this.report = report;
    this.runs = runs;
    this.nextSeed = seed;
    this.onStep = onStep;
  }

  Published published() {
    return published;
  }

  Pictures pictures() {
    return pictures;
  }

  /** A new table of the report, of the exhibit with this id. */
  FigureTable table(String id, String caption) {
    return report.table(id + ": " + caption);
  }

  long runs() {
    return runs;
  }

  /** Tells that a part of the work is done. */
  void step() {
    onStep.run();
  }

  static PatternCalculator calculator(LevelStack levels) {
    return new PatternCalculator(levels, AS_SIMULATED);
  }

  /** Runs of one pattern each, with the next seed: a step. */
  SimulationResult simulate(LevelStack levels, CheckpointPattern pattern)
      throws InterruptedException {
    ExponentialFailures failures =
        new ExponentialFailures(
            levels.levels().stream().map(CheckpointLevel::failuresPerSecond).toList());
    SimulationResult result =
        PatternSimulation.of(levels, AS_SIMULATED, pattern, failures)
            .run(Sampling.of(runs, nextSeed++));
    step();
    return result;
  }

  /** A number of a table against its printed one. */
  Comparison compare(
      String exhibit, String what, String printed, double ours, double standardError) {
    Printed number = new Printed(printed);
    return new Comparison(
        what,
        printed,
        number.value(),
        ours,
        Agreement.rounded(number, ours, standardError),
        published.note(exhibit, what));
  }

  /**
   * The text's statements about an exhibit, against our numbers.
   *
   * @param ours by {@link Statement#what}
   * @throws IllegalStateException if a number is missing or one too many
   */
  List<Comparison> compare(String exhibit, Map<String, Double> ours) {
    List<Comparison> comparisons = new ArrayList<>();
    for (Statement statement : published.statements(exhibit)) {
      Double value = ours.get(statement.what());
      if (value == null) {
        throw new IllegalStateException(exhibit + ": nothing computed for " + statement.what());
      }
      comparisons.add(
          new Comparison(
              statement.what(),
              statement.text(),
              new Printed(statement.printed()).value(),
              value,
              statement.agreement(value),
              published.note(exhibit, statement.what())));
    }
    if (comparisons.size() != ours.size()) {
      throw new IllegalStateException(exhibit + ": computed more than is stated: " + ours.keySet());
    }
    return comparisons;
  }
}
