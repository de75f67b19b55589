package io.cairn.examples.demo;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The periods of one fold's disturbed run, and how their predicted waste compares with the achieved
 * one.
 */
final class CadenceSummary {
  /** Over which predicted and achieved waste can be compared. */
  static final double SHORTEST_SECONDS = 60;

  private CadenceSummary() {}

  /**
   * Periods in iterations.
   *
   * @param epoch of the fold
   * @param atIteration the first iteration of the plan; of an epoch's first plan, the first
   *     iteration that the epoch computed
   * @param bound why the periods are not longer
   * @param measured the measurements that the plan follows from; null if there are none yet
   * @param predictedWaste a part of the run time; null if not known yet
   */
  record Plan(
      int fold,
      long epoch,
      long atIteration,
      long deviceEvery,
      long nodeEvery,
      long storeEvery,
      String bound,
      @Nullable Measured measured,
      @Nullable Double predictedWaste) {}

  /** Measured times; see {@link FoldEvent.Cadence}. Null while a level is not measured. */
  record Measured(
      double iterationMillis,
      @Nullable Double captureMillis,
      @Nullable Double nodeMillis,
      @Nullable Double storeMillis) {}

  /** Parts of the run time that was no work, over {@code seconds} of one attempt. */
  record Waste(int fold, long epoch, double seconds, double predicted, double achieved) {}

  /** The plans of an attempt, by time: the one that it began with, and every adopted one. */
  static List<Plan> plans(Attempt attempt) {
    return attempt.events(FoldEvent.Cadence.class).map(event -> plan(attempt, event)).toList();
  }

  private static Plan plan(Attempt attempt, FoldEvent.Cadence event) {
    return new Plan(
        attempt.fold(),
        attempt.epoch(),
        event.atIteration(),
        event.deviceEvery(),
        event.nodeEvery(),
        event.storeEvery(),
        event.bound(),
        Double.isNaN(event.iterationMillis())
            ? null
            : new Measured(
                event.iterationMillis(),
                known(event.captureMillis()),
                known(event.nodeMillis()),
                known(event.storeMillis())),
        known(event.predicted()));
  }

  private static @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : value;
  }

  /**
   * The waste of an attempt at its last report; empty if it was too short: the time of an iteration
   * varies by more than the waste while the JVM compiles.
   */
  static Optional<Waste> waste(Attempt attempt) {
    return attempt
        .events(FoldEvent.Waste.class)
        .reduce((older, newer) -> newer)
        .filter(event -> event.seconds() >= SHORTEST_SECONDS)
        .map(
            event ->
                new Waste(
                    attempt.fold(),
                    attempt.epoch(),
                    event.seconds(),
                    event.predicted(),
                    event.achieved()));
  }
}
