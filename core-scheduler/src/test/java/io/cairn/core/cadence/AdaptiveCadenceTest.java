package io.cairn.core.cadence;

import static io.cairn.core.cadence.FourLevelJob.COSTLY_CAPTURES;
import static io.cairn.core.cadence.FourLevelJob.LEVELS;
import static io.cairn.core.cadence.FourLevelJob.START;
import static io.cairn.core.cadence.FourLevelJob.TRUTH;
import static io.cairn.core.cadence.FourLevelJob.adaptive;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cairn.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Months of virtual time on four levels. */
class AdaptiveCadenceTest {
  private static final double HOUR = 3600;
  private static final double MONTHS = 60 * 24 * HOUR;
  private static final int SEEDS = 50;
  private static final double Z99 = 2.680;

  @Test
  void achievesThePredictedWasteAndBeatsYoungAndDaly() {
    List<Double> achieved = new ArrayList<>();
    List<Double> predicted = new ArrayList<>();
    CadencePlan last = START;
    for (long seed = 0; seed < SEEDS; seed++) {
      AdaptiveCadence cadence = adaptive(0.1);
      VirtualJob job = new VirtualJob(TRUTH, seed, Optional.of(cadence), START);
      job.runUntil(MONTHS);
      achieved.add(job.waste());
      predicted.add(cadence.report().predictedSoFar());
      assertThat(cadence.report().achievedSoFar())
          .as("seed %d", seed)
          .isCloseTo(job.waste(), within(0.003));
      last = cadence.plan();
    }
    assertThat(interval(achieved)).isLessThan(0.03 * mean(achieved));
    assertThat(mean(achieved)).isCloseTo(mean(predicted), within(0.05 * mean(predicted)));
    for (double factor : new double[] {0.25, 0.5, 1, 2, 4}) {
      CadencePlan rival = youngDaly(last, factor);
      List<Double> less = new ArrayList<>();
      for (int seed = 0; seed < SEEDS; seed++) {
        VirtualJob job = new VirtualJob(TRUTH, seed, Optional.empty(), rival);
        job.runUntil(MONTHS);
        less.add(job.waste() - achieved.get(seed));
      }
      assertThat(mean(less)).as("times %s: %s", factor, rival).isGreaterThan(-interval(less));
      if (factor == 0.25 || factor == 4) {
        assertThat(mean(less)).as("times %s: %s", factor, rival).isGreaterThan(interval(less));
      }
    }
  }

  /** Every iteration at DEVICE; above it the first-order length of these counts, times a factor. */
  private static CadencePlan youngDaly(CadencePlan plan, double factor) {
    double pattern = plan.patternIterations();
    long lowest = plan.patternIterations();
    double cost = 0;
    double rate = 0;
    double loss = 0;
    for (Level level : LEVELS.subList(1, LEVELS.size())) {
      int index = LEVELS.indexOf(level);
      rate += 1 / TRUTH.mtbf().get(index);
      Long every = plan.periods().get(level);
      if (every != null) {
        lowest = Math.min(lowest, every);
        double number = pattern / every;
        cost +=
            number
                * (TRUTH.stop().get(index)
                    + TRUTH.slower().get(index) * TRUTH.latency().get(index));
        loss += rate / number;
        rate = 0;
      }
    }
    double length = factor * Math.sqrt(2 * cost / loss);
    long segment = Math.max(1, Math.round(length / TRUTH.iterationSeconds() / (pattern / lowest)));
    Map<Level, Long> periods = new EnumMap<>(Level.class);
    for (Map.Entry<Level, Long> entry : plan.periods().entrySet()) {
      boolean device = entry.getKey() == Level.DEVICE;
      periods.put(entry.getKey(), device ? 1 : entry.getValue() / lowest * segment);
    }
    return new CadencePlan(0, 0, periods);
  }

  /** An iteration of 20 s, a stop of 1 s: each iteration would be 5 %. */
  @Test
  void stallsNoLongerThanTheBudgetAllows() {
    for (double budget : new double[] {0.002, 0.005, 0.01, 0.1}) {
      AdaptiveCadence cadence = adaptive(budget);
      new VirtualJob(COSTLY_CAPTURES, 7, Optional.of(cadence), START).runUntil(MONTHS / 10);
      double stall = 0;
      for (Level level : cadence.plan().levels()) {
        long every = requireNonNull(cadence.plan().periods().get(level));
        stall +=
            COSTLY_CAPTURES.stop().get(LEVELS.indexOf(level)) / (every * TRUTH.iterationSeconds());
      }
      assertThat(cadence.plan().version()).isPositive();
      assertThat(stall).as("budget %s: %s", budget, cadence.plan()).isLessThanOrEqualTo(budget);
    }
  }

  /** A period of DEVICE above 1 would waste less, and is within no user's wish. */
  @Test
  void capturesEachIterationUnlessCapturesAloneExceedTheBudget() {
    for (double budget : new double[] {0.06, 0.1, 0.5}) {
      AdaptiveCadence cadence = adaptive(budget);
      new VirtualJob(COSTLY_CAPTURES, 7, Optional.of(cadence), START).runUntil(MONTHS / 10);

      assertThat(cadence.plan().version()).as("budget %s", budget).isPositive();
      assertThat(cadence.plan().periods()).containsEntry(Level.DEVICE, 1L);
    }
    AdaptiveCadence cadence = adaptive(0.02);
    new VirtualJob(COSTLY_CAPTURES, 7, Optional.of(cadence), START).runUntil(MONTHS / 10);

    assertThat(cadence.plan().periods().get(Level.DEVICE)).isBetween(3L, 6L);
    assertThat(cadence.report().bounds()).containsEntry(Level.DEVICE, PeriodBound.STALL);
  }

  /** Without a bound, STORE receives a checkpoint in an hour, and NODE none. */
  @Test
  void keepsTheNewestCheckpointWithinItsBound() {
    AdaptiveCadence free = adaptive(0.1);
    new VirtualJob(TRUTH, 7, Optional.of(free), START).runUntil(MONTHS / 10);
    Map<Level, Double> within = Map.of(Level.NODE, 600.0, Level.STORE, 2000.0);
    AdaptiveCadence bounded = adaptive(0.1, within);
    new VirtualJob(TRUTH, 7, Optional.of(bounded), START).runUntil(MONTHS / 10);

    Map<Level, Long> periods = bounded.plan().periods();

    assertThat(free.plan().patternIterations() * 20.0).isGreaterThan(1.5 * 2000);
    assertThat(free.report().bounds()).containsEntry(Level.STORE, PeriodBound.OPTIMUM);
    assertThat(requireNonNull(periods.get(Level.STORE)) * 20.0 + 500).isLessThanOrEqualTo(2000);
    assertThat(bounded.report().bounds()).containsEntry(Level.STORE, PeriodBound.WITHIN);
    assertThat(requireNonNull(periods.get(Level.NODE)) * 20.0 + 40).isLessThanOrEqualTo(600);
  }

  /** Flushes that take as long as patterns would be, if they cost nothing else. */
  @Test
  void feedsNoLevelFasterThanItDrains() {
    VirtualJob.Truth slow =
        new VirtualJob.Truth(
            20,
            TRUTH.mtbf(),
            List.of(1.0, 0.0, 0.0, 0.0),
            List.of(0.0, 700.0, 3000.0, 20_000.0),
            List.of(0.0, 0.0, 0.0, 0.0),
            TRUTH.recovery());
    AdaptiveCadence cadence = adaptive(0.1);
    new VirtualJob(slow, 7, Optional.of(cadence), START).runUntil(MONTHS / 4);
    for (Level level : cadence.plan().levels()) {
      long every = requireNonNull(cadence.plan().periods().get(level));
      assertThat(every * 20.0)
          .as("%s in %s", level, cadence.plan())
          .isGreaterThan(slow.latency().get(LEVELS.indexOf(level)));
    }
  }

  /** Nothing is proposed before each level was measured once. */
  @Test
  void proposesNothingBeforeEachLevelWasMeasured() {
    AdaptiveCadence cadence = adaptive(0.1);
    cadence.resumed(0, 0, Optional.empty(), 0);
    cadence.measured(0, Level.DEVICE, new Measurement(1, 0, 20_000_000_000L, Set.of()));
    cadence.progressed(20, 1);
    assertThat(cadence.patternEnded()).isEmpty();
    assertThat(cadence.report().predicted()).isNaN();
    assertThat(cadence.report().achievedSoFar()).isNaN();
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(value -> value).average().orElseThrow();
  }

  /** Half the 99 % interval of the mean. */
  private static double interval(List<Double> values) {
    double mean = mean(values);
    double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    return Z99 * Math.sqrt(squares / (values.size() - 1) / values.size());
  }
}
