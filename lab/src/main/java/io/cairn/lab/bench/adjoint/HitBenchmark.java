package io.cairn.lab.bench.adjoint;

import com.sun.management.ThreadMXBean;
import io.cairn.Region;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cli.Units;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Samples;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/** Small states that all lie on the device: the time of a store and of a restore. */
final class HitBenchmark {
  private static final int STATE_BYTES = 4 << 10;
  private static final int STEPS = 4000;
  private static final int WARM_UP = 20;
  private static final int ROUNDS = 10;

  private HitBenchmark() {}

  static void measure(DeviceMemory device, Path directory, BenchReport report) throws IOException {
    byte[] state = new byte[STATE_BYTES];
    HistorySettings settings =
        new HistorySettings((long) STEPS * STATE_BYTES, STATE_BYTES, directory, 0);
    Samples stores = new Samples();
    Samples restores = new Samples();
    long allocated = 0;
    try (History history = History.open(device, settings)) {
      history.protect(Region.of("state", state));
      long[] nanos = new long[2 * STEPS];
      ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      for (int round = 0; round < WARM_UP + ROUNDS; round++) {
        long before = thread.getCurrentThreadAllocatedBytes();
        pass(history, nanos);
        allocated = thread.getCurrentThreadAllocatedBytes() - before;
        for (int i = 0; round >= WARM_UP && i < STEPS; i++) {
          stores.add(nanos[i]);
          restores.add(nanos[STEPS + i]);
        }
      }
    }
    double perStep = (double) allocated / STEPS;
    FigureTable hits =
        report.table(
            "%d states of %s that all lie on the device: %d rounds after %d that warm up",
            STEPS, Units.bytes(STATE_BYTES), ROUNDS, WARM_UP);
    add(hits.row().add("hit", "store"), stores, perStep, report);
    add(hits.row().add("hit", "restore"), restores, perStep, report);
    report.atMost("bytes allocated per step", perStep, 0);
  }

  private static void pass(History history, long[] nanos) {
    history.expect(STEPS, STATE_BYTES);
    for (int i = 0; i < STEPS; i++) {
      long start = System.nanoTime();
      history.store(i);
      nanos[i] = System.nanoTime() - start;
    }
    for (int i = STEPS - 1; i >= 0; i--) {
      long start = System.nanoTime();
      history.restore(i, true);
      nanos[STEPS + i] = System.nanoTime() - start;
    }
  }

  private static void add(
      FigureTable.Row row, Samples samples, double allocatedPerStep, BenchReport report) {
    double p50 = 1000 * samples.quantileMillis(0.5);
    double p99 = 1000 * samples.quantileMillis(0.99);
    row.add("p50 µs", p50).add("p99 µs", p99).add("bytes allocated per step", allocatedPerStep);
    report.atMost(row.get("hit") + " of a hit, p50 µs", p50, 50);
    report.atMost(row.get("hit") + " of a hit, p99 µs", p99, 500);
  }
}
