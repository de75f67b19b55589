package io.cairn.lab.study.simulate;

import io.cairn.lab.study.schedule.Algorithm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The result of one algorithm for a trace, as printed.
 *
 * @param trace its name
 * @param topology its name
 * @param cacheMegabytes of each device
 * @param algorithm which one
 * @param snapshots of the trace
 * @param blocking how many of them somebody must wait for; overheads are over these
 * @param overheadPercent over the optimum
 * @param solveMicros time to find a plan, over all snapshots
 */
record ReplayResult(
    String trace,
    String topology,
    double cacheMegabytes,
    String algorithm,
    int snapshots,
    int blocking,
    Quantiles overheadPercent,
    Quantiles solveMicros) {

  /** One result per algorithm. */
  static List<ReplayResult> of(TraceReplay replay) {
    double[] optimum = replay.optimumSeconds();
    int blocking = (int) Arrays.stream(optimum).filter(seconds -> seconds > 0).count();
    List<ReplayResult> results = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      double[] overheads = replay.overheadPercent(algorithm);
      double[] overBlocking = new double[blocking];
      int count = 0;
      for (int snapshot = 0; snapshot < optimum.length; snapshot++) {
        if (optimum[snapshot] > 0) {
          overBlocking[count++] = overheads[snapshot];
        }
      }
      results.add(
          new ReplayResult(
              replay.trace().name(),
              replay.topology(),
              replay.cacheBytes() / 1e6,
              algorithm.toString(),
              optimum.length,
              blocking,
              Quantiles.of(overBlocking),
              Quantiles.of(replay.solveMicros(algorithm))));
    }
    return results;
  }
}
