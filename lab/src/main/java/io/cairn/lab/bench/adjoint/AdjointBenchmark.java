package io.cairn.lab.bench.adjoint;

import io.cairn.Region;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.history.HistoryStats;
import io.cairn.adjoint.schedule.Schedules;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.cli.Progress;
import io.cairn.lab.adjoint.Pipe;
import io.cairn.lab.bench.adjoint.AdjointFigures.Case;
import io.cairn.lab.bench.adjoint.AdjointFigures.Hit;
import io.cairn.lab.bench.adjoint.AdjointFigures.Overlap;
import io.cairn.lab.bench.adjoint.AdjointFigures.Rival;
import io.cairn.lab.bench.adjoint.AdjointFigures.Sharing;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Middle;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.time.Instant;
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

  AdjointFigures measure(Scratch scratch, Progress progress) throws IOException {
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
      List<Case> cases = new ArrayList<>();
      for (double millis : COMPUTE_MILLIS) {
        cases.add(measureCase(history, memory, rates, millis));
        progress.advance(1);
      }
      List<Overlap> overlapped =
          new OverlapBenchmark(steps, cached, cached, rounds, state)
              .measure(device, scratch, rates, COMPUTE_MILLIS, this::run);
      progress.advance(1);
      List<Rival> rivals = rivals(history, memory, scratch);
      progress.advance(1);
      Hit hit = HitBenchmark.measure(device, scratch.inMemory("hits"));
      progress.advance(1);
      List<Sharing> sharing = new SharingBenchmark(scratch, rounds).measure();
      progress.advance(1);
      return new AdjointFigures(
          Instant.now().toString(),
          MeasuredMachine.current(),
          steps,
          stateBytes,
          cached,
          rates,
          cases,
          overlapped,
          rivals,
          hit,
          sharing,
          bars(cases, overlapped, rivals, hit, sharing));
    }
  }

  private Case measureCase(History history, Touched memory, MoveTimes rates, double millis)
      throws IOException {
    List<Double> totals = new ArrayList<>();
    List<Double> inMemory = new ArrayList<>();
    List<Double> waited = new ArrayList<>();
    HistoryStats before = history.stats();
    for (int round = 0; round < rounds; round++) {
      long waitNanos = history.stats().restoreWaitNanos();
      double total = run(Contender.history(history), millis);
      totals.add(total);
      double backward = 2 * millis * steps;
      waited.add(100 * (history.stats().restoreWaitNanos() - waitNanos) / 1e6 / backward);
      inMemory.add(run(Contender.memory(memory), millis));
    }
    HistoryStats after = history.stats();
    return new Case(
        "%s + %s ms".formatted(millis, 2 * millis),
        millis,
        Middle.of(totals),
        bound(rates, millis),
        Middle.of(inMemory),
        Middle.of(waited),
        (after.bytesDown() - before.bytesDown()) / rounds,
        (after.bytesUp() + after.bytesPast() - before.bytesUp() - before.bytesPast()) / rounds);
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

  private List<Rival> rivals(History history, Touched memory, Scratch scratch) throws IOException {
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
    Map<String, List<Double>> times = new LinkedHashMap<>();
    double millis = COMPUTE_MILLIS[COMPUTE_MILLIS.length - 1];
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, Contender> each : all.entrySet()) {
        times
            .computeIfAbsent(each.getKey(), name -> new ArrayList<>())
            .add(run(each.getValue(), millis));
      }
    }
    double compute = Middle.of(times.getOrDefault("nothing kept", List.of()));
    return times.entrySet().stream()
        .map(
            each -> {
              double total = Middle.of(each.getValue());
              return new Rival(each.getKey(), total, total - compute);
            })
        .toList();
  }

  private double run(Contender contender, double millis) throws IOException {
    long start = System.nanoTime();
    contender.run(new BurningProgram(millis), steps);
    return (System.nanoTime() - start) / 1e6;
  }

  private List<Bar> bars(
      List<Case> cases,
      List<Overlap> overlapped,
      List<Rival> rivals,
      Hit hit,
      List<Sharing> sharing) {
    List<Bar> bars = new ArrayList<>();
    for (Overlap one : overlapped) {
      double ratio = one.totalMillis() / one.predictedMillis();
      bars.add(Bar.atMost(one.name() + ", some steps run again: total / predicted", ratio, 1.05));
    }
    double mostBytes = 1.01 * (steps - cached) * stateBytes;
    for (Case one : cases) {
      bars.add(Bar.atMost(one.name() + ": bytes down", (double) one.bytesDown(), mostBytes));
      bars.add(Bar.atMost(one.name() + ": bytes up", (double) one.bytesUp(), mostBytes));
      bars.add(
          Bar.atMost(one.name() + ": total / bound", one.totalMillis() / one.boundMillis(), 1.10));
      bars.add(Bar.atMost(one.name() + ": waited backward, %", one.waitedBackwardPercent(), 5));
    }
    Case last = cases.get(cases.size() - 1);
    bars.add(
        Bar.atMost(
            last.name() + ": total / in memory", last.totalMillis() / last.inMemoryMillis(), 1.15));
    double ours = beyond(rivals, "history");
    bars.add(
        Bar.atMost(
            "beyond compute / synced file", ours / beyond(rivals, "file per step, synced"), 0.2));
    bars.add(
        Bar.atMost(
            "beyond compute / file on tmpfs", ours / beyond(rivals, "file per step, tmpfs"), 0.5));
    double total = total(rivals, "history");
    bars.add(
        Bar.atLeast("Revolve with 10 % / history", total(rivals, "Revolve, 10 %") / total, 1.1));
    bars.add(Bar.atLeast("Revolve with 1 % / history", total(rivals, "Revolve, 1 %") / total, 1.5));
    bars.add(Bar.atMost("store of a hit, p50 µs", hit.storeMicros().p50(), 50));
    bars.add(Bar.atMost("store of a hit, p99 µs", hit.storeMicros().p99(), 500));
    bars.add(Bar.atMost("restore of a hit, p50 µs", hit.restoreMicros().p50(), 50));
    bars.add(Bar.atMost("restore of a hit, p99 µs", hit.restoreMicros().p99(), 500));
    bars.add(Bar.atMost("bytes allocated per step", hit.allocatedBytesPerStep(), 0));
    Sharing least = sharing.get(0);
    Sharing most = sharing.get(sharing.size() - 1);
    bars.add(Bar.atMost("sharing with 10 %: shared / local", 1 / least.gain(), 1.05));
    bars.add(Bar.atLeast("sharing with 90 %: local / shared", most.gain(), 1.5));
    return bars;
  }

  private static double total(List<Rival> rivals, String name) {
    return rivals.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow()
        .totalMillis();
  }

  private static double beyond(List<Rival> rivals, String name) {
    return rivals.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow()
        .beyondComputeMillis();
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
