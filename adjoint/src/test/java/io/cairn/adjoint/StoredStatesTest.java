package io.cairn.adjoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistoryPlaces;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.schedule.Schedule;
import io.cairn.adjoint.schedule.Schedules;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs whose states lie at STORE too, and that lose their node. */
@Timeout(120)
class StoredStatesTest {
  private static final int STEPS = 60;
  private static final int STATE_BYTES = 8192;

  @TempDir Path root;

  /** Where states of the last life lay at its end. */
  private long bytesToStore;

  /** Room for 8 states on the device, 10 in files, and all at STORE. */
  private AdjointReport live(ToyProgram program, Schedule schedule, String node, String group)
      throws IOException {
    Path here = Files.createDirectories(root.resolve(node));
    CairnConfig config =
        CairnConfig.of(
            Map.of(
                "job", "test",
                "store", root.resolve("store").toString(),
                "node.dir", here.resolve("node").toString(),
                "device.dir", here.resolve("device").toString(),
                "device.cacheSize", "1m",
                "chunkSize", "4k",
                "node.every", "1",
                "store.every", "1"));
    try (CairnEngine cairn = CairnEngine.open(config);
        Checkpointer checkpointer = cairn.join(group);
        DeviceMemory device =
            SharedMemoryDevice.open(here.resolve("memory"), here.resolve("memory"), 1 << 20);
        History history =
            History.resume(
                StoredStates.below(HistoryPlaces.on(device), cairn, checkpointer.member(), 1 << 20),
                new HistorySettings(
                    8 * STATE_BYTES, 4096, here.resolve("states"), 10 * STATE_BYTES))) {
      try {
        return new AdjointRunner(history, checkpointer, 5).run(program, schedule);
      } finally {
        bytesToStore = history.stats().below().get(1).bytesDown();
      }
    }
  }

  @Test
  void aProgramThatLosesItsNodeGoesOnFromTheStore() throws IOException {
    ToyProgram expected = ToyProgram.undisturbed(STEPS);
    for (int seed = 0; seed < 4; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String group = "run-" + seed;
      Schedule schedule = seed % 2 == 0 ? Schedules.storeAll(STEPS) : Schedules.everyNth(STEPS, 7);
      int life = 0;
      ToyProgram program = new ToyProgram(STEPS);
      for (boolean ended = false; !ended; life++) {
        program = new EndingProgram(STEPS, random.nextInt(30, 90));
        try {
          live(program, schedule, "node-" + seed + "-" + life, group);
          ended = true;
        } catch (EndException e) {
          assertThat(life).as("seed %d", seed).isLessThan(20);
        }
      }
      assertThat(program.gradient).as("seed %d, %d lives", seed, life).isEqualTo(expected.gradient);
      assertThat(program.record).as("seed %d", seed).isEqualTo(expected.record);
    }
  }

  @Test
  void fewerStepsRunAgainThanWithoutTheStore() throws IOException {
    assertThatThrownBy(
            () -> live(new EndingProgram(STEPS, 75), Schedules.storeAll(STEPS), "a", "run"))
        .isInstanceOf(EndException.class);
    assertThat(bytesToStore).isPositive();
    AdjointReport report = live(new ToyProgram(STEPS), Schedules.storeAll(STEPS), "another", "run");
    assertThat(report.resumedAt()).isEqualTo(70);
    assertThat(report.recomputed()).as("of 50 states that are needed").isBetween(1L, 45L);
  }

  @Test
  void aProgramFindsNoStatesOfTheOneBefore() throws IOException {
    Schedule schedule = Schedules.storeAll(STEPS);
    assertThatThrownBy(() -> live(new EndingProgram(STEPS, 50), schedule, "node", "first"))
        .isInstanceOf(EndException.class);
    assertThat(bytesToStore).isPositive();
    assertThatThrownBy(() -> live(new EndingProgram(STEPS, 3), schedule, "node", "second"))
        .isInstanceOf(EndException.class);
    Path states = root.resolve("node/states");
    try (DeviceMemory device = SharedMemoryDevice.open(root, root, 1 << 20);
        History history =
            History.resume(
                device, new HistorySettings(8 * STATE_BYTES, 4096, states, 10 * STATE_BYTES))) {
      assertThat(LongStream.of(history.steps()).map(StateId::step)).allMatch(step -> step <= 3);
    }
  }

  /** The places are those of the run that was killed there, and the checkpoint is another's. */
  @Test
  void aRetryTakesNoStatesOfAnotherRun() throws IOException {
    Schedule schedule = Schedules.storeAll(STEPS);
    assertThatThrownBy(() -> live(new EndingProgram(STEPS, 75), schedule, "a", "first"))
        .isInstanceOf(EndException.class);
    assertThatThrownBy(() -> live(onOtherData(new EndingProgram(STEPS, 75)), schedule, "b", "next"))
        .isInstanceOf(EndException.class);

    ToyProgram retry = onOtherData(new ToyProgram(STEPS));
    AdjointReport report = live(retry, schedule, "a", "next");

    assertThat(report.resumedAt()).isEqualTo(70);
    assertThat(retry.gradient)
        .isEqualTo(ToyProgram.undisturbed(onOtherData(new ToyProgram(STEPS))).gradient);
  }

  private static ToyProgram onOtherData(ToyProgram program) {
    Arrays.setAll(program.state, i -> 7L * i);
    return program;
  }

  private static final class EndException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Ends after some calls, in the middle of one. */
  private static final class EndingProgram extends ToyProgram {
    private int left;

    EndingProgram(int steps, int calls) {
      super(steps);
      left = calls;
    }

    @Override
    public void step(long step) {
      super.step(step);
      end();
    }

    @Override
    public void reverse(long step) {
      super.reverse(step);
      end();
    }

    private void end() {
      if (--left == 0) {
        throw new EndException();
      }
    }
  }
}
