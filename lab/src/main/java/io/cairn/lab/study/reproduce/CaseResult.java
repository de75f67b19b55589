package io.cairn.lab.study.reproduce;

import io.cairn.lab.study.failure.SimulationResult;
import io.cairn.lab.study.pattern.EvaluatedPattern;
import io.cairn.lab.study.pattern.LevelStack;
import io.cairn.lab.study.pattern.Optimizer;
import io.cairn.lab.study.pattern.PatternCalculator;
import io.cairn.lab.study.pattern.PatternRestriction;

/**
 * A platform's patterns by three approaches, each simulated.
 *
 * @param platform the case
 * @param youngDaly the highest level alone
 * @param firstOrder by the formulas of the paper
 * @param best by exact expected time
 */
record CaseResult(
    PublishedPlatform platform, Simulated youngDaly, Simulated firstOrder, Simulated best) {
  /** Simulations of a case. */
  static final int STEPS = 3;

  /** A pattern and its simulation. */
  record Simulated(EvaluatedPattern pattern, SimulationResult simulation) {
    double overhead() {
      return simulation.overhead();
    }
  }

  static CaseResult of(Workshop workshop, PublishedPlatform platform) throws InterruptedException {
    LevelStack levels = platform.levels();
    PatternCalculator calculator = Workshop.calculator(levels);
    EvaluatedPattern first =
        calculator.calculate(Optimizer.FIRST_ORDER, PatternRestriction.NONE).best();
    return new CaseResult(
        platform,
        simulated(workshop, levels, calculator.youngDaly()),
        simulated(workshop, levels, first),
        simulated(workshop, levels, calculator.calculate().best()));
  }

  private static Simulated simulated(Workshop workshop, LevelStack levels, EvaluatedPattern pattern)
      throws InterruptedException {
    return new Simulated(pattern, workshop.simulate(levels, pattern.pattern()));
  }

  String name() {
    return platform.name();
  }

  /** Overhead saved by the first-order pattern against Young's and Daly's. */
  double saved() {
    return youngDaly.overhead() - firstOrder.overhead();
  }

  /** Overhead of the first-order pattern above the best one. */
  double aboveBest() {
    return firstOrder.overhead() - best.overhead();
  }
}
