package io.cairn.lab.study.failure;

import java.util.List;
import org.hipparchus.special.Gamma;

/**
 * Independent renewal processes with Weibull intervals, one per level. A shape below 1 clusters
 * failures, as field data do; a shape of 1 is {@link ExponentialFailures}. Every run starts with
 * all levels as good as new, and a level is renewed by its own failures only; so runs that are
 * short against the MTBF see the start of the distribution and not its mean rate.
 *
 * @param distributions the distribution of levels 1, 2, …
 */
public record WeibullFailures(List<Interval> distributions) implements FailureSource {
  /** A shape below this has tails that no simulation of finite length samples. */
  private static final double LEAST_SHAPE = 0.05;

  /**
   * The time between two failures of one level.
   *
   * @param shape Weibull's k, at least 0.05
   * @param mtbfSeconds its mean
   */
  public record Interval(double shape, double mtbfSeconds) {
    /**
     * Checks both.
     *
     * @throws IllegalArgumentException if the shape is below 0.05, or either is NaN or infinite, or
     *     the mean is not positive
     */
    public Interval {
      Require.positive("the Weibull shape", shape);
      Require.positive("mtbfSeconds", mtbfSeconds);
      if (shape < LEAST_SHAPE) {
        throw new IllegalArgumentException(
            "the Weibull shape must be at least " + LEAST_SHAPE + ": " + shape);
      }
    }

    /** Weibull's λ, in seconds: the mean over Γ(1 + 1/k). */
    double scaleSeconds() {
      return mtbfSeconds / Gamma.gamma(1 + 1 / shape);
    }
  }

  /**
   * Checks that there is a level.
   *
   * @throws IllegalArgumentException if there is none
   */
  public WeibullFailures {
    distributions = List.copyOf(distributions);
    Require.notEmpty("the list of Weibull distributions", distributions.size());
  }

  @Override
  public int levels() {
    return distributions.size();
  }
}
