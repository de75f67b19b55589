package io.cairn.lab.bench.listener;

import io.cairn.lab.measure.MeasuredMachine;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The findings of {@code bench listener}; its JSON is these records.
 *
 * @param date when, in UTC
 * @param bytes of parameters and updater state
 * @param memcpyMillis median of plain copies of as many bytes between touched direct buffers
 * @param bars what must hold
 */
record ListenerReport(
    String date,
    MeasuredMachine machine,
    long bytes,
    double memcpyMillis,
    List<Mode> modes,
    List<Bar> bars) {

  /**
   * One way of training.
   *
   * @param interferencePercent how much longer its iterations are than those of {@code none},
   *     stalls left out
   * @param skipped checkpoints that were due and not taken
   * @param restoredIdentical whether a checkpoint, restored into a fresh network, was the state at
   *     that iteration, bit for bit; null without checkpoints
   */
  record Mode(
      String name,
      Iteration iterationMillis,
      Stall stallMillis,
      double interferencePercent,
      Checkpoints checkpoints,
      long skipped,
      @Nullable Boolean restoredIdentical) {}

  /**
   * Iteration times.
   *
   * @param p50 median, stalls left out
   * @param p50WithStall median of all
   */
  record Iteration(double p50, double p50WithStall) {}

  /** Time inside the listener's callbacks per iteration. */
  record Stall(double p50, double p99, double max) {}

  /** Checkpoints sealed per level; for CheckpointListener, files written. */
  record Checkpoints(long device, long node, long store) {
    static final Checkpoints NONE = new Checkpoints(0, 0, 0);
  }

  /**
   * One figure that must hold.
   *
   * @param relation {@code >=} or {@code <=}
   */
  record Bar(String name, double value, String relation, double limit, boolean met) {
    static Bar atLeast(String name, double value, double limit) {
      return new Bar(name, value, ">=", limit, value >= limit);
    }

    static Bar atMost(String name, double value, double limit) {
      return new Bar(name, value, "<=", limit, value <= limit);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s  %s: %.2f (%s %.0f)",
          met ? "met" : "NOT MET",
          name,
          value,
          relation,
          limit);
    }
  }

  ListenerReport {
    modes = List.copyOf(modes);
    bars = List.copyOf(bars);
  }

  /** Whether every bar is met. */
  boolean passed() {
    return bars.stream().allMatch(Bar::met);
  }
}
