package io.cairn.lab.study.pattern;

import io.cairn.core.pattern.Check;
import io.cairn.core.pattern.Rollback;
import java.util.List;

/**
 * The exact expected time of a pattern under exponential failures. Beyond the paper, whose Eq. 21
 * leaves the checkpoints out of what is done again; its Eq. 9, for two levels, has them.
 *
 * <p>Problem: levels with rates λ, costs C and recoveries R, all in use; counts n of checkpoints
 * per checkpoint of the next level; a length W. Complexity: O(k²) per evaluation, whatever the
 * counts, without allocation. Not thread-safe (it has scratch memory): one per thread.
 *
 * <p>How. A stage is a time d that failures make start again; a stage that succeeds completes one
 * or more checkpoints. Let Λ be the rate of all failures, and S(ℓ) the expected time of everything
 * since the last checkpoint of level ℓ or above. A stage takes
 *
 * <pre>  E = (e^(Λd) − 1)·x,   x = 1/Λ + mean recovery + Σ g(ℓ)·S(ℓ)</pre>
 *
 * ({@link Rollback} has the mean and the weights g). Let a block of level j be what lies between
 * two neighbouring checkpoints of level j or above. It begins with S(1..j) = 0, and in it all other
 * S grow alike; so its expected time is affine in x at its start, β·x + γ, and x grows by G·(β·x +
 * γ), G = Σ(ℓ&gt;j) g(ℓ). So n blocks in a row are a geometric series, and a block of level j+1 is
 * such a row and its last checkpoint: k steps, not one per segment.
 */
public final class ExactTime {
  private final FailureModel failures;
  private final Rollback rollback;
  private final double[] costs;
  private final double[] weightsAbove;

  /** Scratch of the atomic chain: a block's β by the level of the chain that ends it. */
  private final double[] growths;

  /**
   * An evaluator for patterns that use every level of a stack.
   *
   * @param selected the levels in use, {@link LevelStack#select selected} from the platform's
   */
  public ExactTime(LevelStack selected, FailureModel failures, RecoveryCost recovery) {
    int size = selected.size();
    this.failures = failures;
    costs = new double[size];
    double[] rates = new double[size];
    double[] recoveries = new double[size];
    double lower = 0;
    for (int index = 0; index < size; index++) {
      CheckpointLevel level = selected.level(index + 1);
      costs[index] = level.checkpointSeconds();
      rates[index] = level.failuresPerSecond();
      recoveries[index] = lower + level.recoverySeconds();
      lower = recovery == RecoveryCost.CUMULATIVE ? recoveries[index] : 0;
    }
    rollback = new Rollback(rates, recoveries, failures == FailureModel.EVERYWHERE);
    weightsAbove = new double[size];
    for (int index = 0; index < size; index++) {
      weightsAbove[index] = rollback.weightAbove(index);
    }
    growths = new double[size];
  }

  /**
   * The overhead of a pattern: its expected time per second of work, less 1.
   *
   * @throws IllegalArgumentException if the counts do not fit the levels
   */
  public double overhead(List<Integer> counts, double lengthSeconds) {
    CheckpointPattern.segments(counts, costs.length);
    Check.positive(lengthSeconds, "lengthSeconds of a pattern");
    int[] array = counts.stream().mapToInt(Integer::intValue).toArray();
    return expectedSeconds(array, lengthSeconds) / lengthSeconds - 1;
  }

  /**
   * The expected time of a pattern, checkpoints, failures and recoveries included. The hot path: it
   * checks nothing and allocates nothing.
   *
   * @param counts one per level but the highest, each at least 1
   * @param lengthSeconds the work of the pattern, above 0
   * @return infinity where the time has no double
   */
  public double expectedSeconds(int[] counts, double lengthSeconds) {
    double segment = lengthSeconds;
    for (int index = 0; index + 1 < costs.length; index++) {
      segment /= counts[index];
    }
    double expected =
        switch (failures) {
          case COMPUTATION_ONLY -> computationOnly(counts, segment);
          case EVERYWHERE -> everywhere(counts, segment);
          case ATOMIC_CHAIN_EXCEPT_RECOVERY -> atomicChain(counts, segment);
        };
    return Double.isNaN(expected) ? Double.POSITIVE_INFINITY : expected;
  }

  /** A level's checkpoint is paid when it is due and cannot fail: γ. */
  private double computationOnly(int[] counts, double segment) {
    double growth = stage(segment);
    double paid = costs[0];
    for (int level = 0; level + 1 < costs.length; level++) {
      double above = weightsAbove[level];
      double row = row(growth, above, counts[level]) / above;
      paid = row / growth * paid + costs[level + 1];
      growth = row;
    }
    return growth * rollback.seconds() + paid;
  }

  /** The lowest checkpoint ends its segment's stage; each further one is a stage of its own. */
  private double everywhere(int[] counts, double segment) {
    double growth = stage(segment + costs[0]);
    for (int level = 0; level + 1 < costs.length; level++) {
      double above = weightsAbove[level];
      double row = row(growth, above, counts[level]);
      growth = row / above + stage(costs[level + 1]) * (1 + row);
    }
    return growth * rollback.seconds();
  }

  /**
   * The last block of a row ends with the chain of the row's end, which lengthens its last stage.
   */
  private double atomicChain(int[] counts, double segment) {
    int top = costs.length - 1;
    double stage = segment;
    for (int level = 0; level <= top; level++) {
      stage += costs[level];
      growths[level] = stage(stage);
    }
    for (int level = 0; level < top; level++) {
      double above = weightsAbove[level];
      double row = row(growths[level], above, counts[level] - 1);
      for (int end = level + 1; end <= top; end++) {
        growths[end] = row / above + (1 + row) * growths[end];
      }
    }
    return growths[top] * rollback.seconds();
  }

  private double stage(double seconds) {
    return Math.expm1(rollback.failuresPerSecond() * seconds);
  }

  /** By what part x has grown after {@code blocks} blocks: (1 + G·β)^n − 1. */
  private static double row(double growth, double above, int blocks) {
    return Math.expm1(blocks * Math.log1p(growth * above));
  }
}
