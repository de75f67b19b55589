package io.cairn.lab.bench.failover;

import io.cairn.lab.measure.Samples;
import java.util.ArrayList;
import java.util.List;

/** The recoveries of a run. Not thread-safe. */
final class Kills {
  private final Samples recoveries = new Samples();
  private final Samples joins = new Samples();
  private final List<Long> lost = new ArrayList<>();

  void add(Failover recovery) {
    recoveries.add(recovery.nanos());
    joins.add(recovery.joinNanos());
    lost.add(recovery.lostIterations());
  }

  int count() {
    return recoveries.count();
  }

  Samples.Quantiles recoveryMillis() {
    return recoveries.millis();
  }

  Samples.Quantiles joinMillis() {
    return joins.millis();
  }

  /** Median and most; 0 without kills. */
  FailoverReport.Lost lost() {
    List<Long> sorted = lost.stream().sorted().toList();
    return sorted.isEmpty()
        ? new FailoverReport.Lost(0, 0)
        : new FailoverReport.Lost(
            sorted.get((sorted.size() - 1) / 2), sorted.get(sorted.size() - 1));
  }

  FailoverReport.Others others() {
    return new FailoverReport.Others(count(), recoveryMillis(), lost());
  }
}
