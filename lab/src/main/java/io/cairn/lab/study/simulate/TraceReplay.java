package io.cairn.lab.study.simulate;

import io.cairn.core.flow.FlowOutcome;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.FlowScheduler;
import io.cairn.core.flow.Infeasible;
import io.cairn.core.flow.TransferPlan;
import io.cairn.lab.study.schedule.Algorithm;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * One trace on one topology with one cache size: what each algorithm makes of every snapshot. A
 * rank's remainder is what its snapshot exceeds the cache by, its spare what the snapshot leaves of
 * it; snapshots do not wait for each other, and chunks have 1 MB.
 */
final class TraceReplay {
  /** Bytes of a chunk. */
  static final long CHUNK_BYTES = 1_000_000;

  /** One path search per chunk takes minutes per snapshot from here on. */
  private static final long MOST_CHUNKS = 1_000_000;

  private static final int WARMING = 1000;
  private static final long WARMING_NANOS = 20_000_000;

  private final Trace trace;
  private final NamedTopology topology;
  private final long cacheBytes;
  private final Map<Algorithm, double[]> blockingSeconds = new EnumMap<>(Algorithm.class);
  private final Map<Algorithm, double[]> solveMicros = new EnumMap<>(Algorithm.class);

  private TraceReplay(Trace trace, NamedTopology topology, long cacheBytes) {
    this.trace = trace;
    this.topology = topology;
    this.cacheBytes = cacheBytes;
  }

  /**
   * Replays a trace.
   *
   * @param advance called after each snapshot of each algorithm
   * @throws IllegalArgumentException if trace and topology differ in size, or an algorithm finds no
   *     plan
   */
  static TraceReplay of(Trace trace, NamedTopology topology, long cacheBytes, Runnable advance) {
    int devices = topology.topology().devices();
    if (trace.ranks() != devices) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s has %d ranks, and %s has %d devices",
              trace.name(),
              trace.ranks(),
              topology.name(),
              devices));
    }
    TraceReplay replay = new TraceReplay(trace, topology, cacheBytes);
    replay.run(advance);
    return replay;
  }

  private void run(Runnable advance) {
    for (Algorithm algorithm : Algorithm.values()) {
      blockingSeconds.put(algorithm, new double[trace.snapshots()]);
      solveMicros.put(algorithm, new double[trace.snapshots()]);
      FlowScheduler scheduler = algorithm.scheduler(false);
      // Times are those of a scheduler that has been at work for a while.
      long until = System.nanoTime() + WARMING_NANOS;
      for (int warming = 0; warming < WARMING && System.nanoTime() < until; warming++) {
        solve(warming % trace.snapshots(), algorithm, scheduler);
      }
      for (int snapshot = 0; snapshot < trace.snapshots(); snapshot++) {
        solve(snapshot, algorithm, scheduler);
        advance.run();
      }
    }
  }

  private FlowProblem problem(int snapshot) {
    long[] remainders = trace.at(snapshot).map(size -> Math.max(0, size - cacheBytes)).toArray();
    long[] spares = trace.at(snapshot).map(size -> Math.max(0, cacheBytes - size)).toArray();
    long chunks = LongStream.of(remainders).map(bytes -> bytes / CHUNK_BYTES).sum();
    if (chunks > MOST_CHUNKS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s, snapshot %d leaves %d chunks of 1 MB, and at most %d are replayed; scale it with"
                  + " --scale-total-gb",
              trace.name(),
              trace.number(snapshot),
              chunks,
              MOST_CHUNKS));
    }
    return new FlowProblem(topology.topology(), remainders, spares, CHUNK_BYTES);
  }

  private void solve(int snapshot, Algorithm algorithm, FlowScheduler scheduler) {
    FlowProblem problem = problem(snapshot);
    long start = System.nanoTime();
    FlowOutcome outcome = scheduler.schedule(problem);
    long nanos = System.nanoTime() - start;
    if (outcome instanceof Infeasible none) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s, snapshot %d, cache of %d bytes: %s finds no plan: %s",
              trace.name(),
              trace.number(snapshot),
              cacheBytes,
              algorithm,
              none.reason()));
    }
    if (outcome instanceof TransferPlan plan) {
      values(blockingSeconds, algorithm)[snapshot] = plan.blockingSeconds();
    }
    values(solveMicros, algorithm)[snapshot] = nanos / 1e3;
  }

  /** How often {@code advance} is called for a trace. */
  static long steps(Trace trace) {
    return (long) trace.snapshots() * Algorithm.values().length;
  }

  String topology() {
    return topology.name();
  }

  Trace trace() {
    return trace;
  }

  long cacheBytes() {
    return cacheBytes;
  }

  /** The optimum per snapshot; 0 where everything fits. */
  double[] optimumSeconds() {
    return values(blockingSeconds, Algorithm.EXACT).clone();
  }

  /** Time per solve. */
  double[] solveMicros(Algorithm algorithm) {
    return values(solveMicros, algorithm).clone();
  }

  /** How much longer than the optimum each snapshot blocks, in percent; 0 where nobody waits. */
  double[] overheadPercent(Algorithm algorithm) {
    double[] optimum = values(blockingSeconds, Algorithm.EXACT);
    double[] overhead = values(blockingSeconds, algorithm).clone();
    for (int snapshot = 0; snapshot < overhead.length; snapshot++) {
      double best = optimum[snapshot];
      overhead[snapshot] = best == 0 ? 0 : 100 * (overhead[snapshot] / best - 1);
    }
    return overhead;
  }

  private static double[] values(Map<Algorithm, double[]> of, Algorithm algorithm) {
    return Objects.requireNonNull(of.get(algorithm));
  }
}
