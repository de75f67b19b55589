package io.cairn.lab.bench.listener;

import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Samples.Quantiles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The findings of {@code bench listener}; its JSON is these records.
 *
 * @param date when, in UTC
 * @param threads of OpenMP, with which all modes computed
 * @param bytes of parameters and updater state
 * @param memcpyMillis median of plain copies of as many bytes between touched direct buffers
 * @param bars what must hold
 */
record ListenerReport(
    String date,
    MeasuredMachine machine,
    int threads,
    long bytes,
    double memcpyMillis,
    List<Mode> modes,
    List<Bar> bars) {

  /**
   * One way of training.
   *
   * @param stallMillis inside the listener's callbacks per iteration
   * @param interferencePercent how much longer its iterations are than those of the same network
   *     without the listener, stalls left out
   * @param totalOverheadPercent the same, stalls included
   * @param skipped checkpoints that were due and not taken
   * @param restoredIdentical whether a checkpoint, restored into a fresh network, was the state at
   *     that iteration, bit for bit; null without checkpoints
   * @param restored the cost of that checkpoint; null without checkpoints
   */
  record Mode(
      String name,
      Iteration iterationMillis,
      Quantiles stallMillis,
      double interferencePercent,
      double totalOverheadPercent,
      Checkpoints checkpoints,
      long skipped,
      @Nullable Boolean restoredIdentical,
      @Nullable Restored restored) {}

  /**
   * A checkpoint that was restored from files.
   *
   * @param bytes of its files
   * @param millis to restore it into a fresh network
   */
  record Restored(long bytes, double millis) {}

  /**
   * Iteration times.
   *
   * @param bareP50 median without the listener, in turn with the others
   * @param p50 median, stalls left out
   * @param p50WithStall median of all
   */
  record Iteration(double bareP50, double p50, double p50WithStall) {}

  /** Checkpoints sealed per level; for CheckpointListener, files written. */
  record Checkpoints(long device, long node, long store) {
    static final Checkpoints NONE = new Checkpoints(0, 0, 0);
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
