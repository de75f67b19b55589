package io.cairn.core.cadence;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cairn.core.model.Level;
import io.cairn.core.pattern.NonBlockingLevel;
import io.cairn.core.pattern.NonBlockingOptimum;
import io.cairn.core.pattern.NonBlockingPattern;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Months of virtual time on four levels. */
class AdaptiveCadenceTest {
  private static final double HOUR = 3600;
  private static final double MONTHS = 60 * 24 * HOUR;
  private static final int SEEDS = 50;
  private static final double Z99 = 2.680;
  private static final List<Level> LEVELS = List.of(Level.values());
  private static final CadencePlan START = startingPlan();

  private static final VirtualJob.Truth TRUTH =
      new VirtualJob.Truth(
          20,
          List.of(4 * HOUR, 16 * HOUR, 48 * HOUR, 120 * HOUR),
          List.of(1.0, 2.0, 4.0, 6.0),
          List.of(0.0, 40.0, 120.0, 500.0),
          List.of(0.0, 0.05, 0.03, 0.04),
          List.of(10.0, 30.0, 60.0, 300.0));

  private static CadencePlan startingPlan() {
    return new CadencePlan(
        0, 0, Map.of(Level.DEVICE, 1L, Level.NODE, 10L, Level.PEER, 20L, Level.STORE, 40L));
  }

  private static AdaptiveSettings settings(double budget) {
    Map<Level, Double> mtbf = new EnumMap<>(Level.class);
    LEVELS.forEach(level -> mtbf.put(level, TRUTH.mtbf().get(LEVELS.indexOf(level))));
    return new AdaptiveSettings(mtbf, budget, Set.copyOf(LEVELS), Set.of(Level.NODE, Level.PEER));
  }

  private static AdaptiveCadence adaptive(double budget) {
    return new AdaptiveCadence(settings(budget), START);
  }

  @Test
  void keepsWhatItPromisesAndBeatsYoungAndDaly() {
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

  /** The first-order length of these counts, times a factor, in whole iterations. */
  private static CadencePlan youngDaly(CadencePlan plan, double factor) {
    double pattern = plan.patternIterations();
    double cost = 0;
    double rate = 0;
    double loss = 0;
    for (Level level : LEVELS) {
      int index = LEVELS.indexOf(level);
      rate += 1 / TRUTH.mtbf().get(index);
      Long every = plan.periods().get(level);
      if (every != null) {
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
    long lowest = Collections.min(plan.periods().values());
    long segment = Math.max(1, Math.round(length / TRUTH.iterationSeconds() / (pattern / lowest)));
    Map<Level, Long> periods = new EnumMap<>(Level.class);
    plan.periods().forEach((level, every) -> periods.put(level, every / lowest * segment));
    return new CadencePlan(0, 0, periods);
  }

  @Test
  void followsCostsThatChangeTenfoldWithinThreePatterns() {
    for (long seed : LongStream.range(0, 10).toArray()) {
      for (double factor : new double[] {10, 0.1}) {
        AdaptiveCadence cadence = adaptive(0.5);
        VirtualJob job = new VirtualJob(TRUTH, seed, Optional.of(cadence), START);
        job.runUntil(MONTHS / 2);
        VirtualJob.Truth changed = TRUTH.times(factor);
        job.change(changed);
        int before = job.patterns();
        while (job.patterns() < before + 3) {
          job.runUntil(job.nowSeconds() + 1);
        }
        double best = overhead(NonBlockingOptimum.best(levels(changed), 20).waste());
        double now = overhead(exactWaste(cadence.plan(), changed));
        assertThat(now).as("seed %d, costs times %s", seed, factor).isLessThan(1.1 * best);
      }
    }
  }

  /** An iteration of 20 s, a stop of 1 s: each iteration would be 5 %. */
  @Test
  void stallsNoLongerThanTheBudgetAllows() {
    for (double budget : new double[] {0.002, 0.005, 0.01, 0.1}) {
      AdaptiveCadence cadence = adaptive(budget);
      new VirtualJob(TRUTH, 7, Optional.of(cadence), START).runUntil(MONTHS / 10);
      double stall = 0;
      for (Level level : cadence.plan().levels()) {
        long every = requireNonNull(cadence.plan().periods().get(level));
        stall += TRUTH.stop().get(LEVELS.indexOf(level)) / (every * TRUTH.iterationSeconds());
      }
      assertThat(cadence.plan().version()).isPositive();
      assertThat(stall).as("budget %s: %s", budget, cadence.plan()).isLessThanOrEqualTo(budget);
    }
  }

  @Test
  void capturesEachIterationIfThatCostsNextToNothing() {
    AdaptiveCadence cadence = adaptive(0.01);
    new VirtualJob(TRUTH.times(0.001), 7, Optional.of(cadence), START).runUntil(MONTHS / 10);
    assertThat(cadence.plan().periods()).containsEntry(Level.DEVICE, 1L);
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
  void knowsBeforeItDecides() {
    AdaptiveCadence cadence = adaptive(0.1);
    cadence.resumed(0, 0, Optional.empty(), 0);
    cadence.measured(0, Level.DEVICE, new Measurement(1, 0, 20_000_000_000L, Set.of()));
    cadence.progressed(20, 1);
    assertThat(cadence.patternEnded()).isEmpty();
    assertThat(cadence.report().predicted()).isNaN();
    assertThat(cadence.report().achievedSoFar()).isNaN();
  }

  private static double overhead(double waste) {
    return 1 / (1 - waste) - 1;
  }

  private static List<NonBlockingLevel> levels(VirtualJob.Truth truth) {
    List<NonBlockingLevel> levels = new ArrayList<>();
    for (int index = 0; index < 4; index++) {
      levels.add(
          new NonBlockingLevel(
              LEVELS.get(index).name(),
              1 / truth.mtbf().get(index),
              truth.stop().get(index),
              truth.latency().get(index),
              truth.slower().get(index),
              truth.recovery().get(index)));
    }
    return levels;
  }

  private static double exactWaste(CadencePlan plan, VirtualJob.Truth truth) {
    List<Integer> subset = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    long below = 0;
    for (Level level : plan.levels()) {
      subset.add(LEVELS.indexOf(level) + 1);
      long every = requireNonNull(plan.periods().get(level));
      if (below > 0) {
        counts.add((int) (every / below));
      }
      below = every;
    }
    return new NonBlockingPattern(NonBlockingOptimum.select(levels(truth), subset))
        .waste(counts, below * truth.iterationSeconds());
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
