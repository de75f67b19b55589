package io.cairn.lab.bench.collaborative;

import io.cairn.lab.study.simulate.Trace;
import io.cairn.lab.study.simulate.Traces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The snapshots that are executed with one cache.
 *
 * @param moments drawn, in the order of the trace
 * @param shared how many of the trace's have senders and receivers
 * @param eligible how many of those have no plan that is too short
 */
record Drawing(int cacheMegabytes, List<Moment> moments, int shared, int eligible) {
  private static final String TRACE = "acoustic-wave-slab8";

  Drawing {
    moments = List.copyOf(moments);
  }

  /** Draws for every cache of a plan from the measured trace. */
  static List<Drawing> all(CollaborativePlan plan, long seed) throws IOException {
    Trace trace = Traces.read(TRACE, Traces.SHIPPED_COLUMN).scaledTo(Traces.SHIPPED_TOTAL_BYTES);
    return plan.cacheMegabytes().stream().map(cache -> of(trace, plan, cache, seed)).toList();
  }

  private static Drawing of(Trace trace, CollaborativePlan plan, int cache, long seed) {
    List<Moment> shared =
        IntStream.range(0, trace.snapshots())
            .mapToObj(snapshot -> Moment.of(trace, snapshot, plan.devices(), cache))
            .filter(Moment::isShared)
            .toList();
    List<Moment> eligible =
        new ArrayList<>(
            shared.stream()
                .filter(moment -> moment.leastSeconds() >= plan.leastModelSeconds())
                .toList());
    int found = eligible.size();
    Collections.shuffle(eligible, new Random(seed * 1000 + cache));
    List<Moment> drawn = new ArrayList<>(eligible.subList(0, Math.min(found, plan.snapshots())));
    drawn.sort((one, other) -> Long.compare(one.number(), other.number()));
    return new Drawing(cache, drawn, shared.size(), found);
  }

  /** The shortest plan, on the machine that is played. */
  double leastSeconds() {
    return moments.stream().mapToDouble(Moment::leastSeconds).min().orElseThrow();
  }

  /** The largest checkpoint of a rank. */
  long mostBytes() {
    return moments.stream().mapToLong(Moment::mostBytes).max().orElseThrow();
  }

  /** The largest remainder of a rank, in chunks. */
  int mostRemainder() {
    return moments.stream().mapToInt(Moment::mostRemainder).max().orElseThrow();
  }
}
