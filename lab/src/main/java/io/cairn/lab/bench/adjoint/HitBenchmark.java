package io.cairn.lab.bench.adjoint;

import com.sun.management.ThreadMXBean;
import io.cairn.Region;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.lab.bench.adjoint.AdjointFigures.Hit;
import io.cairn.lab.bench.adjoint.AdjointFigures.Micros;
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

  static Hit measure(DeviceMemory device, Path directory) throws IOException {
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
    return new Hit(micros(stores), micros(restores), (double) allocated / STEPS);
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

  private static Micros micros(Samples samples) {
    return new Micros(1000 * samples.quantileMillis(0.5), 1000 * samples.quantileMillis(0.99));
  }
}
