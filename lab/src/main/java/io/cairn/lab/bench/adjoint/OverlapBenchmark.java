package io.cairn.lab.bench.adjoint;

import io.cairn.Region;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.schedule.Action;
import io.cairn.adjoint.schedule.OverlappedSchedule;
import io.cairn.adjoint.schedule.Schedules;
import io.cairn.adjoint.schedule.Tier;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cli.Units;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Scratch;
import io.cairn.lab.measure.SideBySide;
import java.io.IOException;
import java.util.List;

/**
 * Schedules whose transfers run beside the computation, executed on a history whose places cannot
 * hold all states. The measured rates are their prices, so that each has a predicted time.
 */
final class OverlapBenchmark {
  private static final double MICROS = 1000;

  private final int steps;
  private final int cached;
  private final int filed;
  private final int rounds;
  private final byte[] state;

  /** Runs a contender with so much computation in a forward step; returns milliseconds. */
  interface Timed {
    double run(Contender contender, double millis) throws IOException;
  }

  /**
   * A benchmark.
   *
   * @param cached states that fit on the device
   * @param filed states that fit into the files
   * @param state the program's, which each history protects
   */
  OverlapBenchmark(int steps, int cached, int filed, int rounds, byte[] state) {
    this.steps = steps;
    this.cached = cached;
    this.filed = filed;
    this.rounds = rounds;
    this.state = state;
  }

  void measure(
      DeviceMemory device,
      Scratch scratch,
      MoveTimes rates,
      double[] computeMillis,
      Timed timed,
      BenchReport report)
      throws IOException {
    FigureTable table =
        report.table(
            "schedules for places for a fifth of the states, beside their prediction and the least"
                + " of any schedule with these rates: medians of "
                + Units.count(rounds, "round"));
    HistorySettings settings =
        new HistorySettings(
            (long) cached * state.length,
            scratch.inMemory("overlapped"),
            (long) filed * state.length);
    try (History history = History.open(device, settings)) {
      history.protect(Region.of("state", state));
      timed.run(contender(history, schedule(rates, 0)), 0); // makes the files' pages
      for (double millis : computeMillis) {
        measure(history, schedule(rates, millis), millis, timed, table.row(), report);
      }
    }
  }

  private void measure(
      History history,
      OverlappedSchedule schedule,
      double millis,
      Timed timed,
      FigureTable.Row row,
      BenchReport report)
      throws IOException {
    double total =
        new SideBySide()
            .way("overlapped", () -> timed.run(contender(history, schedule), millis))
            .run(rounds)
            .median("overlapped");
    double predicted = schedule.time() / MICROS;
    String name = "%s + %s ms".formatted(millis, 2 * millis);
    row.add("compute", name)
        .add("kept", kept(schedule))
        .add("total ms", total)
        .add("predicted ms", predicted)
        .add("bound ms", schedule.leastTime() / MICROS);
    report.atMost(name + ", some steps run again: total / predicted", total / predicted, 1.05);
  }

  private Contender contender(History history, OverlappedSchedule schedule) {
    return Contender.schedule(schedule, history, kept(schedule));
  }

  private OverlappedSchedule schedule(MoveTimes rates, double millis) {
    Tier device =
        new Tier("device", cached, micros(rates.storeMillis()), micros(rates.restoreMillis()));
    Tier files = new Tier("files", filed, micros(rates.downMillis()), micros(rates.upMillis()));
    return Schedules.overlapped(steps, List.of(device, files), micros(millis), micros(2 * millis));
  }

  private static long micros(double millis) {
    return Math.round(MICROS * millis);
  }

  /** States that the forward phase keeps. */
  private static long kept(OverlappedSchedule schedule) {
    long kept = 0;
    for (var actions = schedule.actions(); actions.hasNext(); ) {
      Action action = actions.next();
      if (action instanceof Action.EndForward) {
        break;
      }
      kept += action instanceof Action.Forward forward && forward.restart() ? 1 : 0;
    }
    return kept;
  }
}
