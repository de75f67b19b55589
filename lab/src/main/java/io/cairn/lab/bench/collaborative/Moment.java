package io.cairn.lab.bench.collaborative;

import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.TransferPlan;
import io.cairn.lab.study.schedule.Algorithm;
import io.cairn.lab.study.simulate.Trace;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * One snapshot of a trace and what of it fits where.
 *
 * @param number that the trace gives it
 * @param cacheChunks that each device's cache has slots for
 * @param bytes of each rank
 */
record Moment(long number, int cacheChunks, List<Long> bytes) {
  /** Of a trace's first ranks. */
  static Moment of(Trace trace, int snapshot, int ranks, int cacheChunks) {
    return new Moment(
        trace.number(snapshot),
        cacheChunks,
        IntStream.range(0, ranks).mapToObj(rank -> trace.bytes(snapshot, rank)).toList());
  }

  /** Chunks of a rank; the last may be short. */
  int chunks(int rank) {
    long chunk = PlayedMachine.REAL_CHUNK_BYTES;
    return Math.toIntExact((bytes.get(rank) + chunk - 1) / chunk);
  }

  /** Chunks that a rank's cache has no slot for. */
  int remainder(int rank) {
    return Math.max(0, chunks(rank) - cacheChunks);
  }

  private int spare(int rank) {
    return Math.max(0, cacheChunks - chunks(rank));
  }

  /** Whether somebody has too much and somebody else has room. */
  boolean isShared() {
    return ranks().anyMatch(rank -> remainder(rank) > 0)
        && ranks().anyMatch(rank -> spare(rank) > 0);
  }

  /** The problem to plan, on the devices of the ranks, in their order. */
  FlowProblem problem(Topology topology, long chunkBytes) {
    return new FlowProblem(
        topology,
        ranks().mapToLong(rank -> remainder(rank) * chunkBytes).toArray(),
        ranks().mapToLong(rank -> spare(rank) * chunkBytes).toArray(),
        chunkBytes);
  }

  private IntStream ranks() {
    return IntStream.range(0, bytes.size());
  }

  /** The plan of an algorithm for it on the played machine. */
  TransferPlan plan(Algorithm algorithm) {
    FlowProblem problem = problem(PlayedMachine.real(bytes.size()), PlayedMachine.REAL_CHUNK_BYTES);
    return (TransferPlan) algorithm.scheduler(true).schedule(problem);
  }

  /** The least blocking time of all algorithms' plans. */
  double leastSeconds() {
    double least = Double.POSITIVE_INFINITY;
    for (Algorithm algorithm : Algorithm.values()) {
      least = Math.min(least, plan(algorithm).blockingSeconds());
    }
    return least;
  }

  /** The largest remainder of a rank, in chunks. */
  int mostRemainder() {
    return ranks().map(this::remainder).max().orElseThrow();
  }

  /** The largest of any rank. */
  long mostBytes() {
    return bytes.stream().flatMapToLong(LongStream::of).max().orElseThrow();
  }
}
