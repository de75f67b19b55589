package io.cairn.lab.bench.flush;

import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.MeasuredMachine;
import java.util.ArrayList;
import java.util.List;

/**
 * The findings of {@code bench flush}; its JSON is these records.
 *
 * @param date when, in UTC
 * @param mib of state that the levels were measured with
 * @param captures by size of the state
 * @param node from the capture to the seal at NODE, beside a loop over a file channel
 * @param store from the seal at NODE to the seal at STORE, beside a bare client of HDFS
 * @param restore from STORE into the regions, beside a bare read of the same file
 * @param differential checkpoints at NODE of a state that changes little
 * @param overload a store that is too slow for a while
 */
record FlushReport(
    String date,
    MeasuredMachine machine,
    int mib,
    List<Captures> captures,
    Beside node,
    Beside store,
    Beside restore,
    List<Differential> differential,
    Overload overload) {
  private static final double MIB = 1 << 20;
  private static final double MOST_COPIES = 1.35;
  private static final double MOST_SPREAD = 2;
  private static final double LEAST_OF_NODE = 0.85;
  private static final double LEAST_OF_STORE = 0.9;
  private static final double LEAST_OF_RESTORE = 0.85;
  private static final double MOST_BYTES = 0.15;
  private static final double MOST_TIME = 0.4;

  /**
   * Captures of a state.
   *
   * @param copyMillis median of a plain copy into a mapping that is kept
   * @param captureMillis until the training thread continues; of the steadiest run
   */
  record Captures(int mib, double copyMillis, Quantiles captureMillis) {}

  /** Middle and end of a distribution. */
  record Quantiles(double p50, double p95) {
    double spread() {
      return p95 / p50;
    }
  }

  /** Medians: a bare loop, and Cairn with the same bytes. */
  record Beside(double bareMillis, double millis) {
    /** Part of the bare loop's speed. */
    double share() {
      return bareMillis / millis;
    }
  }

  /**
   * Checkpoints that lean on older ones, compared with whole ones.
   *
   * @param dirtyPercent of the chunks change from one to the next
   */
  record Differential(int dirtyPercent, double bytesRatio, double timeRatio) {}

  /**
   * A store that takes a tenth of what the cadence sends there.
   *
   * @param seconds of the overload
   * @param limitBytes of memory, by the settings
   * @param peakBytes of memory at the device and at NODE
   * @param lost checkpoints that were reported as sealed and are not there
   * @param skipped levels of checkpoints, during the overload
   * @param storeEvery the adaptive cadence's period of STORE
   * @param recoverySeconds from the end of the overload until that period was at most twice that
   *     before, or until the wait for it ended
   */
  record Overload(
      int seconds,
      long limitBytes,
      long peakBytes,
      int lost,
      long skipped,
      Periods storeEvery,
      double recoverySeconds) {}

  /** Iterations between checkpoints: before and at the end of an overload, and after the wait. */
  record Periods(long before, long during, long after) {}

  /** The figures that must hold. */
  List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    for (Captures one : captures) {
      String size = one.mib() + " MiB: ";
      bars.add(
          Bar.atMost(
              size + "capture / copy", one.captureMillis().p50() / one.copyMillis(), MOST_COPIES));
      bars.add(Bar.atMost(size + "capture p95 / p50", one.captureMillis().spread(), MOST_SPREAD));
    }
    bars.add(Bar.atLeast("NODE / file channel", node.share(), LEAST_OF_NODE));
    bars.add(Bar.atLeast("STORE / HDFS client", store.share(), LEAST_OF_STORE));
    bars.add(Bar.atLeast("restore / HDFS read", restore.share(), LEAST_OF_RESTORE));
    for (Differential one : differential) {
      String dirty = one.dirtyPercent() + " % dirty: ";
      bars.add(Bar.atMost(dirty + "bytes / whole", one.bytesRatio(), MOST_BYTES));
      bars.add(Bar.atMost(dirty + "time / whole", one.timeRatio(), MOST_TIME));
    }
    bars.add(Bar.atMost("overload: MiB", overload.peakBytes() / MIB, overload.limitBytes() / MIB));
    bars.add(Bar.atMost("overload: lost", overload.lost(), 0));
    bars.add(
        Bar.atLeast(
            "overload: period of STORE / before",
            (double) overload.storeEvery().during() / overload.storeEvery().before(),
            2));
    bars.add(
        Bar.atMost(
            "recovered: period of STORE / before",
            (double) overload.storeEvery().after() / overload.storeEvery().before(),
            OverloadBenchmark.RECOVERED));
    return bars;
  }

  /** Whether all of them hold. */
  boolean passed() {
    return bars().stream().allMatch(Bar::met);
  }
}
