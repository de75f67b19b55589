package io.cairn.lab.study.pattern;

import static io.cairn.core.cadence.FourLevelJob.LEVELS;
import static io.cairn.core.cadence.FourLevelJob.START;
import static io.cairn.core.cadence.FourLevelJob.TRUTH;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.core.cadence.AdaptiveCadence;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.FourLevelJob;
import io.cairn.core.cadence.VirtualJob;
import io.cairn.core.pattern.NonBlockingLevel;
import io.cairn.core.pattern.NonBlockingPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Compares the plans of an adaptive cadence with the optimum over all lengths and counts. */
class AdaptiveCadenceOptimumTest {
  private static final double MONTHS = 60 * 24 * 3600.0;

  @Test
  void followsCostsThatChangeTenfoldWithinThreePatterns() {
    for (double factor : new double[] {10, 0.1}) {
      VirtualJob.Truth changed = TRUTH.times(factor);
      double best = overhead(NonBlockingOptimum.best(levels(changed), 20).waste());
      for (long seed : LongStream.range(0, 10).toArray()) {
        AdaptiveCadence cadence = FourLevelJob.adaptive(0.5);
        VirtualJob job = new VirtualJob(TRUTH, seed, Optional.of(cadence), START);
        job.runUntil(MONTHS / 2);
        job.change(changed);
        int before = job.patterns();
        while (job.patterns() < before + 3) {
          job.runUntil(job.nowSeconds() + 1);
        }
        double now = overhead(exactWaste(cadence.plan(), changed));
        assertThat(now).as("seed %d, costs times %s", seed, factor).isLessThan(1.1 * best);
      }
    }
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
    double work = below * truth.iterationSeconds();
    int[] perNext = counts.stream().mapToInt(count -> count).toArray();
    return 1
        - work
            / new NonBlockingPattern(NonBlockingOptimum.select(levels(truth), subset))
                .expectedSeconds(perNext, work);
  }
}
