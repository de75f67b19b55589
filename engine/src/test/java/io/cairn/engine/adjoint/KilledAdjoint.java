package io.cairn.engine.adjoint;

import io.cairn.cache.history.History;
import io.cairn.cache.history.HistorySettings;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.adjoint.Schedule;
import io.cairn.core.adjoint.Schedules;
import io.cairn.core.session.Checkpointer;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.Cairn;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * A process that runs a program forward and backward until it is killed. It prints "call" at each
 * call of the program, and at its end whether the result is the undisturbed one.
 */
final class KilledAdjoint {
  static final int STEPS = 80;
  private static final int STATE_BYTES = 8192;

  private KilledAdjoint() {}

  /** Runs below the directory of the first argument, by the schedule of the second. */
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    CairnConfig config =
        CairnConfig.of(
            Map.of(
                "job", "test",
                "store", root.resolve("store").toString(),
                "node.dir", root.resolve("node").toString(),
                "device.dir", root.resolve("device").toString(),
                "device.cacheSize", "1m",
                "chunkSize", "4k",
                "node.every", "1",
                "store.every", "8"));
    try (Cairn cairn = Cairn.open(config);
        Checkpointer checkpointer = cairn.join("run");
        DeviceMemory device =
            SharedMemoryDevice.open(root.resolve("memory"), root.resolve("memory"), 1 << 20);
        History history =
            History.resume(
                device,
                new HistorySettings(
                    10 * STATE_BYTES, 4096, root.resolve("states"), 120 * STATE_BYTES))) {
      ToyProgram program = new LoudProgram();
      AdjointReport report =
          new AdjointRunner(history, checkpointer, 6).run(program, schedule(arguments[1]));
      ToyProgram expected = ToyProgram.undisturbed(STEPS);
      boolean exact =
          Arrays.equals(program.gradient, expected.gradient)
              && Arrays.equals(program.record, expected.record);
      say("exact " + exact + " recomputed " + report.recomputed());
    }
  }

  private static Schedule schedule(String name) {
    return name.equals("storeAll") ? Schedules.storeAll(STEPS) : Schedules.revolve(STEPS, 6);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private static final class LoudProgram extends ToyProgram {
    LoudProgram() {
      super(STEPS);
    }

    @Override
    public void step(long step) {
      super.step(step);
      say("call");
    }

    @Override
    public void reverse(long step) {
      super.reverse(step);
      say("call");
    }
  }
}
