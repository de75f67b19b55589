package io.cairn.lab.bench.failover;

import io.cairn.lab.measure.FigureTable;
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

  /** Adds the figures: of recoveries, of restores, and of the iterations lost. */
  FigureTable.Row report(FigureTable.Row row) {
    List<Long> sorted = lost.stream().sorted().toList();
    int last = sorted.size() - 1;
    return row.add("kills", count())
        .quantiles("recovery", recoveries.millis())
        .quantiles("restored", joins.millis())
        .add("lost p50", last < 0 ? 0 : sorted.get(last / 2))
        .add("lost max", last < 0 ? 0 : sorted.get(last));
  }
}
