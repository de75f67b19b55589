package io.cairn.lab.bench.adjoint;

import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.MeasuredMachine;
import java.util.List;

/** All that the benchmark found. */
record AdjointFigures(
    String date,
    MeasuredMachine machine,
    int steps,
    int stateBytes,
    int cachedStates,
    MoveTimes rates,
    List<Case> cases,
    List<Overlap> overlapped,
    List<Rival> rivals,
    Hit hit,
    List<Sharing> sharing,
    List<Bar> bars) {
  /**
   * A history with some computation in each step; medians of all rounds.
   *
   * @param computeMillis of a forward step; a backward step takes twice as long
   * @param boundMillis the least possible, from the measured rates
   * @param inMemoryMillis with all states in touched memory
   * @param waitedBackwardPercent of the backward pass, in restores
   * @param bytesDown from the device, in one pass
   * @param bytesUp to the device or past it, in one pass
   */
  record Case(
      String name,
      double computeMillis,
      double totalMillis,
      double boundMillis,
      double inMemoryMillis,
      double waitedBackwardPercent,
      long bytesDown,
      long bytesUp) {}

  /**
   * A schedule for places that cannot hold all states, executed on a history.
   *
   * @param kept states that the forward phase keeps
   * @param totalMillis the median of all rounds
   * @param predictedMillis from the measured rates
   * @param boundMillis below which no schedule stays with these rates
   */
  record Overlap(
      String name, long kept, double totalMillis, double predictedMillis, double boundMillis) {}

  /**
   * Another way, with the computation of the last case.
   *
   * @param beyondComputeMillis time that the computation alone does not take
   */
  record Rival(String name, double totalMillis, double beyondComputeMillis) {}

  /**
   * Four ranks of unequal sizes, with a cache each of so much of the mean; medians of the slowest
   * rank's time.
   *
   * @param localOnlyMillis with host memory below each cache
   * @param sharedMillis with memory of peers, too
   */
  record Sharing(int cachePercent, double localOnlyMillis, double sharedMillis) {
    /** How many times less the slowest rank waits. */
    double gain() {
      return localOnlyMillis / sharedMillis;
    }
  }

  /** Times in microseconds. */
  record Micros(double p50, double p99) {}

  /** States of 4 KiB that lie on the device. */
  record Hit(Micros storeMicros, Micros restoreMicros, double allocatedBytesPerStep) {}
}
