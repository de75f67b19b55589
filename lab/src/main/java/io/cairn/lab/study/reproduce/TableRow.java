package io.cairn.lab.study.reproduce;

import io.cairn.lab.study.failure.SimulationResult;
import io.cairn.lab.study.pattern.EvaluatedPattern;

/**
 * A row of a published table, computed again.
 *
 * @param printed what the table has
 * @param pattern ours, with the same checkpoints and the best length to first order
 * @param simulation of it
 */
record TableRow(PublishedRow printed, EvaluatedPattern pattern, SimulationResult simulation) {
  /** How many runs the published means are over. */
  private static final double PUBLISHED_RUNS = 10_000;

  double length() {
    return pattern.pattern().lengthSeconds();
  }

  double simulated() {
    return simulation.overhead();
  }

  /** Simulated overhead above the theoretical one. */
  double absoluteDifference() {
    return simulated() - pattern.firstOrder();
  }

  /** The same as a part of the simulated one. */
  double relativeDifference() {
    return absoluteDifference() / simulated();
  }

  /** The standard error of the printed mean and ours together. */
  double scatter() {
    double ours = simulation.standardErrorSeconds() / simulation.workSeconds();
    return ours * Math.sqrt(1 + simulation.runs() / PUBLISHED_RUNS);
  }
}
