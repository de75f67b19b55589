package io.cairn.lab.bench.adjoint;

import io.cairn.Region;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.history.HistoryStats;
import io.cairn.adjoint.schedule.Schedules;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.cli.Progress;
import io.cairn.cli.Units;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.Burn;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Middle;
import io.cairn.lab.measure.Scratch;
import io.cairn.lab.measure.SideBySide;
import io.cairn.lab.study.adjoint.Pipe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All contenders, one after the other in each round, so that a busy machine meets them all. */
final class AdjointBenchmark {
  private static final double[] COMPUTE_MILLIS = {0.5, 1, 2};
  private static final double MICROS = 1000;

  private final int steps;
  private final int stateBytes;
  private final int cached;
  private final int rounds;
  private final byte[] state;
  private final Burn burn = Burn.calibrated();

  AdjointBenchmark(int steps, int stateBytes, int cached, int rounds) {
    this.steps = steps;
    this.stateBytes = stateBytes;
    this.cached = cached;
    this.rounds = rounds;
    state = new byte[stateBytes];
  }

  void measure(Scratch scratch, BenchReport report, Progress progress) throws IOException {
    long cacheBytes = (long) cached * stateBytes;
    try (DeviceMemory device =
            SharedMemoryDevice.open(
                scratch.inMemory("device"), scratch.onDisk("device"), 2 * cacheBytes);
        History history =
            History.open(
                device,
                new HistorySettings(
                    cacheBytes, scratch.inMemory("states"), (long) steps * stateBytes))) {
      history.protect(Region.of("state", state));
      Touched memory = new Touched(scratch.inMemory("touched/states"), steps, stateBytes);
      MoveTimes rates =
          MoveTimes.measure(memory, steps, stateBytes, scratch.inMemory("rates/file"));
      // The first pass makes the files' pages.
      run(Contender.history(history), 0);
      report
          .table("a history, and the moves of a state, each alone: medians of all states")
          .row()
          .add("steps", steps)
          .add("bytes of each", stateBytes)
          .add("cached", cached)
          .add("down ms", rates.downMillis())
          .add("up ms", rates.upMillis())
          .add("store ms", rates.storeMillis())
          .add("restore ms", rates.restoreMillis());
      String medians = "medians of " + Units.count(rounds, "round");
      FigureTable cases =
          report.table(
              "a history, by the computation of a step forward and backward; the least with these"
                  + " rates; all states in touched memory: "
                  + medians);
      OverlapBenchmark overlap = new OverlapBenchmark(steps, cached, cached, rounds, state);
      for (double millis : COMPUTE_MILLIS) {
        measureCase(history, memory, rates, millis, cases.row(), report);
        progress.advance(1);
      }
      overlap.measure(device, scratch, rates, COMPUTE_MILLIS, this::run, report);
      progress.advance(1);
      rivals(
          history,
          memory,
          scratch,
          report.table("ways, with the last computation: " + medians),
          report);
      progress.advance(1);
      HitBenchmark.measure(device, scratch.inMemory("hits"), report);
      progress.advance(1);
      new SharingBenchmark(scratch, rounds).measure(report);
      progress.advance(1);
    }
  }

  private void measureCase(
      History history,
      Touched memory,
      MoveTimes rates,
      double millis,
      FigureTable.Row row,
      BenchReport report)
      throws IOException {
    List<Double> waited = new ArrayList<>();
    HistoryStats before = history.stats();
    SideBySide ways =
        new SideBySide()
            .way(
                "history",
                () -> {
                  long waitNanos = history.stats().restoreWaitNanos();
                  double total = run(Contender.history(history), millis);
                  double backward = 2 * millis * steps;
                  waited.add(
                      100 * (history.stats().restoreWaitNanos() - waitNanos) / 1e6 / backward);
                  return total;
                })
            .way("in memory", () -> run(Contender.memory(memory), millis))
            .run(rounds);
    HistoryStats after = history.stats();
    String name = "%s + %s ms".formatted(millis, 2 * millis);
    double total = ways.median("history");
    double bound = bound(rates, millis);
    long down = (after.bytesDown() - before.bytesDown()) / rounds;
    long up =
        (after.bytesUp() + after.bytesPast() - before.bytesUp() - before.bytesPast()) / rounds;
    row.add("compute", name)
        .add("total ms", total)
        .add("bound ms", bound)
        .add("in memory ms", ways.median("in memory"))
        .add("waited backward %", Middle.of(waited))
        .add("bytes down", down)
        .add("bytes up", up);
    double mostBytes = 1.01 * (steps - cached) * stateBytes;
    report.atMost(name + ": bytes down", (double) down, mostBytes);
    report.atMost(name + ": bytes up", (double) up, mostBytes);
    report.atMost(name + ": total / bound", total / bound, 1.10);
    report.atMost(name + ": waited backward, %", Middle.of(waited), 5);
    if (millis == COMPUTE_MILLIS[COMPUTE_MILLIS.length - 1]) {
      report.atMost(name + ": total / in memory", ways.ratio("history", "in memory"), 1.15);
    }
  }

  /** The least time with transfers of these rates beside the computation. */
  private double bound(MoveTimes rates, double millis) {
    int[] forward = new int[steps];
    int[] backward = new int[steps];
    Arrays.fill(forward, (int) (MICROS * millis));
    Arrays.fill(backward, (int) (2 * MICROS * millis));
    double copy = (rates.storeMillis() + rates.restoreMillis()) / 2;
    Pipe pipe =
        new Pipe(
            cached,
            Math.round(MICROS * rates.downMillis()),
            Math.round(MICROS * rates.upMillis()),
            Math.round(MICROS * copy));
    return pipe.times(forward, backward).total() / MICROS;
  }

  private void rivals(
      History history, Touched memory, Scratch scratch, FigureTable table, BenchReport report)
      throws IOException {
    Map<String, Contender> all = new LinkedHashMap<>();
    all.put("nothing kept", Contender.nothing());
    all.put("history", Contender.history(history));
    all.put("in memory", Contender.memory(memory));
    all.put("file per step, synced", Contender.files(scratch.onDisk("files"), true));
    all.put("file per step, tmpfs", Contender.files(scratch.inMemory("files"), false));
    all.put("Revolve, 10 %", Contender.schedule(Schedules.revolve(steps, cached), memory));
    all.put(
        "Revolve, 1 %",
        Contender.schedule(Schedules.revolve(steps, Math.max(1, steps / 100)), memory));
    double millis = COMPUTE_MILLIS[COMPUTE_MILLIS.length - 1];
    SideBySide ways = new SideBySide();
    all.forEach((name, contender) -> ways.way(name, () -> run(contender, millis)));
    ways.run(rounds);
    double compute = ways.median("nothing kept");
    for (String name : all.keySet()) {
      double total = ways.median(name);
      table.row().add("way", name).add("total ms", total).add("beyond compute ms", total - compute);
    }
    double ours = ways.median("history") - compute;
    report.atMost(
        "beyond compute / synced file",
        ours / (ways.median("file per step, synced") - compute),
        0.2);
    report.atMost(
        "beyond compute / file on tmpfs",
        ours / (ways.median("file per step, tmpfs") - compute),
        0.5);
    report.atLeast("Revolve with 10 % / history", ways.ratio("Revolve, 10 %", "history"), 1.1);
    report.atLeast("Revolve with 1 % / history", ways.ratio("Revolve, 1 %", "history"), 1.5);
  }

  private double run(Contender contender, double millis) throws IOException {
    long start = System.nanoTime();
    contender.run(new BurningProgram(millis), steps);
    return (System.nanoTime() - start) / 1e6;
  }

  /** Steps that take a known time and change the state. */
  private final class BurningProgram implements Contender.Program {
    private final double millis;

    BurningProgram(double millis) {
      this.millis = millis;
    }

    @Override
    public void forward(long step) {
      burn.millis(millis);
      state[0] = (byte) step;
    }

    @Override
    public void backward(long step) {
      burn.millis(2 * millis);
    }

    @Override
    public byte[] state() {
      return state;
    }
  }
}
