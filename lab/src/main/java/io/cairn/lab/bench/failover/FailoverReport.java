package io.cairn.lab.bench.failover;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Samples;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The findings of {@code bench failover}; its JSON is these records.
 *
 * @param date when, in UTC
 * @param loadAverage of the machine in the minute before; more than the cores is a busy machine
 * @param kills with a standby
 * @param recoveryMillis from the signal to the end of the rank's next iteration
 * @param joinMillis from the signal to the end of the restore
 * @param withoutStandby null if there were no such kills
 * @param idleExecutor likewise, with an executor that has no task instead of a standby
 * @param identical whether all ranks ended with the digests of undisturbed ones
 * @param soak null if there was none
 */
record FailoverReport(
    String date,
    MeasuredMachine machine,
    double loadAverage,
    FailoverPlan plan,
    int kills,
    Samples.Quantiles recoveryMillis,
    Samples.Quantiles joinMillis,
    Lost lostIterations,
    @Nullable Others withoutStandby,
    @Nullable Others idleExecutor,
    boolean identical,
    @Nullable Soak soak) {
  private static final double MOST_P50_MILLIS = 1000;
  private static final double MOST_P99_MILLIS = 2000;
  private static final double LEAST_ETTR = 0.97;

  /** Iterations that were computed again after a kill. */
  record Lost(long p50, long max) {}

  /** Kills without a standby. */
  record Others(int kills, Samples.Quantiles recoveryMillis, Lost lostIterations) {}

  /**
   * Kills at moments of a Poisson process.
   *
   * @param ettr the part of the time that counts, as {@code cairn goodput} reports it
   * @param groups all that {@code cairn goodput} reports
   */
  record Soak(
      double minutes,
      double mtbfSeconds,
      int kills,
      int standbys,
      Samples.Quantiles recoveryMillis,
      double ettr,
      JsonNode groups) {}

  /** The required figures that do not hold; empty if all is well. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (!identical) {
      problems.add("digests differ from those of undisturbed ranks");
    }
    if (recoveryMillis.p50() > MOST_P50_MILLIS || recoveryMillis.p99() > MOST_P99_MILLIS) {
      problems.add("a recovery takes more than 1 s (median) or 2 s (p99)");
    }
    if (lostIterations.max() > 1) {
      problems.add("a kill cost more than one iteration");
    }
    if (soak != null && soak.ettr() < LEAST_ETTR) {
      problems.add("ETTR is below " + LEAST_ETTR);
    }
    return problems;
  }
}
