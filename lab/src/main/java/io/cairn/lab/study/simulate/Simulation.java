package io.cairn.lab.study.simulate;

import io.cairn.cli.Progress;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.study.chart.Pictures;
import io.cairn.lab.study.schedule.Algorithm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Everything that is replayed of one trace: the trace itself, sizes drawn from its histogram, and
 * such sizes on many devices behind an NVSwitch, there with the largest of the caches. Immutable.
 */
final class Simulation {
  private final Trace measured;
  private final Trace drawn;
  private final List<TraceReplay> ofMeasured = new ArrayList<>();
  private final List<TraceReplay> ofDrawn = new ArrayList<>();
  private final List<SwitchStudy.Step> behindSwitch;

  /**
   * Replays all, with progress on stderr.
   *
   * @param cacheBytes free memory per device, at least one
   */
  Simulation(Trace measured, NamedTopology topology, List<Long> cacheBytes, long seed) {
    this.measured = measured;
    Histogram sizes = new Histogram(measured);
    drawn = sizes.draw("synthetic trace", measured.snapshots(), measured.ranks(), seed);
    long steps = 2L * cacheBytes.size() * TraceReplay.steps(measured) + SwitchStudy.steps();
    try (Progress progress = Progress.counting("simulate trace", steps, "schedule")) {
      Runnable advance = () -> progress.advance(1);
      for (long cache : cacheBytes) {
        ofMeasured.add(TraceReplay.of(measured, topology, cache, advance));
        ofDrawn.add(TraceReplay.of(drawn, topology, cache, advance));
      }
      long largest = cacheBytes.stream().mapToLong(Long::longValue).max().orElseThrow();
      behindSwitch = SwitchStudy.run(sizes, largest, seed, advance);
    }
  }

  /** Adds a row for each replay and algorithm, in order; overheads are over what blocks. */
  void add(FigureTable table) {
    ofMeasured.forEach(replay -> add(replay, table));
    ofDrawn.forEach(replay -> add(replay, table));
    for (SwitchStudy.Step step : behindSwitch) {
      add(step.uncapped(), table);
      add(step.capped(), table);
    }
  }

  private static void add(TraceReplay replay, FigureTable table) {
    double[] optimum = replay.optimumSeconds();
    int[] blocking = IntStream.range(0, optimum.length).filter(at -> optimum[at] > 0).toArray();
    for (Algorithm algorithm : Algorithm.values()) {
      double[] overheads = replay.overheadPercent(algorithm);
      Quantiles percent =
          Quantiles.of(IntStream.of(blocking).mapToDouble(at -> overheads[at]).toArray());
      Quantiles micros = Quantiles.of(replay.solveMicros(algorithm));
      table
          .row()
          .add("trace", replay.trace().name())
          .add("topology", replay.topology())
          .add("cache MB", replay.cacheBytes() / 1e6)
          .add("waits", blocking.length)
          .add("algorithm", algorithm.toString())
          .add("median %", rounded(percent.median()))
          .add("p90 %", rounded(percent.p90()))
          .add("max %", rounded(percent.max()))
          .add("median µs", micros.median())
          .add("max µs", micros.max());
    }
  }

  /** Without what rounding errors leave of 0. */
  private static double rounded(double percent) {
    return Math.rint(percent * 1e6) / 1e6 + 0.0;
  }

  /** Draws Figures 3 to 10 of Maurya et al. 2021 for this trace. */
  void draw(Path directory) throws IOException {
    Pictures pictures = new Pictures(directory);
    SizeFigures sizes = new SizeFigures();
    sizes.overSnapshots(measured).save(pictures, "figure-03-sizes");
    sizes.perRank(measured).save(pictures, "figure-04-sizes-per-rank");
    sizes.drawn(measured, drawn).save(pictures, "figure-05-synthetic-sizes");
    OverheadFigures overheads = new OverheadFigures();
    overheads.overSnapshots(ofMeasured).save(pictures, "figure-06-overhead");
    overheads.overSnapshots(ofDrawn).save(pictures, "figure-07-overhead-synthetic");
    overheads.solveTimes(ofMeasured).save(pictures, "figure-08-solver-times");
    overheads.solveTimes(ofDrawn).save(pictures, "figure-09-solver-times-synthetic");
    new ScaleFigure(behindSwitch).sheet().save(pictures, "figure-10-devices");
  }
}
