package io.cairn.adjoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.schedule.Schedule;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongPredicate;

/** A life of a {@link ToyProgram} under a runner; the next one below the same root goes on. */
final class AdjointLife {
  static final int STATE_BYTES = 8192;

  private AdjointLife() {}

  /** Runs to the end, or until the program throws. The device holds eight states. */
  static AdjointReport live(
      Path root, long callsPerSeal, ToyProgram program, Function<LongPredicate, Schedule> schedule)
      throws IOException {
    return live(root, callsPerSeal, history -> program, schedule);
  }

  /** Like the other, of a program that knows its history. */
  static AdjointReport live(
      Path root,
      long callsPerSeal,
      Function<History, ToyProgram> program,
      Function<LongPredicate, Schedule> schedule)
      throws IOException {
    Path memory = Files.createDirectories(root).resolve("memory");
    HistorySettings settings =
        new HistorySettings(8 * STATE_BYTES, 4096, root.resolve("states"), 120 * STATE_BYTES);
    try (CairnEngine cairn = CairnEngine.open(config(root));
        Checkpointer checkpointer = cairn.join("run");
        DeviceMemory device = SharedMemoryDevice.open(memory, memory, 1 << 20);
        History history = History.resume(device, settings)) {
      AdjointReport report =
          new AdjointRunner(history, checkpointer, callsPerSeal)
              .run(program.apply(history), schedule);
      assertThat(history.steps()).as("states left").isEmpty();
      return report;
    }
  }

  static CairnConfig config(Path root) {
    return CairnConfig.of(
        Map.of(
            "job", "test",
            "store", root.resolve("store").toString(),
            "node.dir", root.resolve("node").toString(),
            "device.dir", root.resolve("device").toString(),
            "device.cacheSize", "1m",
            "chunkSize", "4k",
            "node.every", "1",
            "store.every", "4"));
  }
}
