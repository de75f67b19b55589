package io.cairn.training;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.DoubleStream;

/**
 * The last sound losses of a training, and the rule that tells trouble from noise; {@link
 * TroubleGuard} describes it. A question costs O(n log n) for a window of n. Not thread-safe.
 */
final class LossWindow {
  /** Fewer losses say nothing about their spread. */
  static final int LEAST = 10;

  /** Standard deviations of normal noise in its median absolute deviation. */
  private static final double NORMAL = 1.4826;

  private final TroubleGuard guard;
  private final Deque<Loss> losses = new ArrayDeque<>();

  private record Loss(long iteration, double value) {}

  LossWindow(TroubleGuard guard) {
    this.guard = guard;
  }

  /** Whether the next loss is in trouble. */
  boolean isTrouble(double loss) {
    return !Double.isFinite(loss) || (losses.size() >= LEAST && loss > limit());
  }

  /** The greatest loss that is sound. Needs a loss. */
  private double limit() {
    double median = median(losses.stream().mapToDouble(Loss::value));
    double deviation = median(losses.stream().mapToDouble(loss -> Math.abs(loss.value() - median)));
    double spread = Math.max(guard.floor(), Math.max(NORMAL * deviation, Math.abs(median) / 2));
    return median + guard.factor() * spread;
  }

  private static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** Adds a sound loss. */
  void add(long iteration, double loss) {
    losses.addLast(new Loss(iteration, loss));
    if (losses.size() > guard.window()) {
      losses.removeFirst();
    }
  }

  /** Forgets the losses after an iteration, which are trained again. */
  void rewind(long iteration) {
    losses.removeIf(loss -> loss.iteration() > iteration);
  }
}
