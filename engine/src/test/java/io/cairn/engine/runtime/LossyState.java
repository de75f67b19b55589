package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.ErrorBound;
import io.cairn.Region;
import io.cairn.RegionOptions;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Numbers that accept an error, absolute or relative, and some that do not. */
final class LossyState {
  static final double WEIGHTS = 0.01;
  static final double MOMENTS = 0.001;

  final float[] weights = new float[5_000];
  final double[] moments = new double[2_000];
  final float[] exact = new float[3_000];

  /** The state after an iteration, which the iteration alone determines. */
  static LossyState at(long iteration) {
    LossyState state = new LossyState();
    state.step(iteration);
    return state;
  }

  void step(long iteration) {
    SplittableRandom random = new SplittableRandom(iteration);
    Arrays.setAll(moments, i -> random.nextDouble(-1, 1) * Math.scalb(1.0, random.nextInt(80)));
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (float) random.nextDouble(-3, 3);
    }
    for (int i = 0; i < exact.length; i++) {
      exact[i] = (float) random.nextDouble();
    }
  }

  /** The program asks for the bounds. */
  LossyState protectBy(Checkpointer checkpointer) {
    RegionOptions absolute = RegionOptions.DEFAULT.withLoss(ErrorBound.absolute(WEIGHTS));
    RegionOptions relative = RegionOptions.DEFAULT.withLoss(ErrorBound.relative(MOMENTS));
    checkpointer.protect(Region.of("weights", weights), absolute);
    checkpointer.protect(Region.of("moments", moments), relative);
    checkpointer.protect(Region.of("exact", exact));
    return this;
  }

  /** The program asks for nothing. */
  LossyState protectPlainBy(Checkpointer checkpointer) {
    checkpointer.protect(Region.of("weights", weights));
    checkpointer.protect(Region.of("moments", moments));
    checkpointer.protect(Region.of("exact", exact));
    return this;
  }

  /** Was restored from a checkpoint of that state: rounded where that was allowed. */
  void assertRestoredFrom(LossyState captured) {
    int rounded = 0;
    for (int i = 0; i < weights.length; i++) {
      assertThat(Math.abs((double) weights[i] - captured.weights[i])).isLessThanOrEqualTo(WEIGHTS);
      rounded += weights[i] == captured.weights[i] ? 0 : 1;
    }
    assertThat(rounded).isGreaterThan(weights.length / 2);
    for (int i = 0; i < moments.length; i++) {
      assertThat(Math.abs(moments[i] - captured.moments[i]))
          .isLessThanOrEqualTo(MOMENTS * Math.abs(captured.moments[i]));
    }
    assertThat(moments).isNotEqualTo(captured.moments);
    assertThat(exact).isEqualTo(captured.exact);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LossyState that
        && Arrays.equals(weights, that.weights)
        && Arrays.equals(moments, that.moments)
        && Arrays.equals(exact, that.exact);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(weights);
  }

  @Override
  public String toString() {
    return "weights from " + weights[0] + ", moments from " + moments[0];
  }
}
