package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cache has room for one checkpoint, whose slots are in use until the device has copied it. */
@Timeout(60)
class CaptureWaitTest {
  private static final String[] FOREVER = {"device.cacheSize", "24k", "capture.wait", "1h"};

  @TempDir Path root;

  private final HeldDevice device = new HeldDevice();

  /** The check for a cancellation, which a rank runs once per checkpoint and while it waits. */
  private Runnable check = () -> {};

  private CairnEngine open(String... settings) throws IOException {
    Places places = new Places(root);
    CairnEngine cairn =
        CairnEngine.open(
            places.config(settings), LocalStore.open(places.store(), Durability.PROCESS), device);
    cairn.interruption(() -> check.run());
    return cairn;
  }

  /** Runs its action when a rank begins to wait, which is the second check. */
  private static final class WhenWaiting implements Runnable {
    private final Runnable action;
    private int asked;

    WhenWaiting(Runnable action) {
      this.action = action;
    }

    @Override
    public void run() {
      if (++asked == 2) {
        action.run();
      }
    }
  }

  /** Leaves the first checkpoint in flight. */
  private Toy occupied(Checkpointer checkpointer) {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    toy.step(0);
    device.hold();
    assertThat(checkpointer.checkpoint(0).captured()).isNotDone();
    return toy;
  }

  @Test
  void aCaptureWaitsForRoomIfTheUserAsksForIt() throws Exception {
    try (CairnEngine cairn = open(FOREVER);
        Checkpointer checkpointer = cairn.join("run")) {
      occupied(checkpointer);
      check = new WhenWaiting(device::release);

      CheckpointTicket second = checkpointer.checkpoint(1);

      assertThat(second.captured().get()).isInstanceOf(Outcome.Captured.class);
    }
  }

  @Test
  void aCaptureWithoutRoomIsSkippedByDefault() throws Exception {
    try (CairnEngine cairn = open("device.cacheSize", "24k");
        Checkpointer checkpointer = cairn.join("run")) {
      occupied(checkpointer);

      assertThat(checkpointer.checkpoint(1).captured().get()).isInstanceOf(Outcome.Skipped.class);
      device.release();
    }
  }

  /** A larger cache would fill as well: NODE hangs. */
  @Test
  void theRemedyForWantOfRoomIsThatOfTheSlowLevel() throws Exception {
    AtomicReference<GatedLevel> node = new AtomicReference<>();
    StepPlan gated =
        new StepPlan(
            Level.NODE,
            Level.DEVICE,
            levels -> {
              node.set(GatedLevel.node(levels));
              return node.get();
            });
    CountDownLatch opens = new CountDownLatch(1);
    Places places = new Places(root);
    CairnConfig config =
        places.config("device.cacheSize", "64k", "node.every", "1", "store.every", "1000");
    try (CairnEngine cairn =
            CairnEngine.open(
                config,
                LocalStore.open(places.store(), Durability.PROCESS),
                Devices.open(config),
                List.of(gated, StepPlan.ALL.get(1)));
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      checkpointer.restore();
      node.get().gate(() -> uninterruptibly(opens));

      Outcome third = toy.run(checkpointer, 1, 4).captured().get();

      opens.countDown();
      assertThat(third).isInstanceOf(Outcome.Skipped.class);
      assertThat(((Outcome.Skipped) third).reason())
          .contains("earlier ones stay until NODE has them")
          .contains("node.every")
          .doesNotContain("device.cacheSize");
    }
  }

  private static void uninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aCaptureIsSkippedWhenTheWaitIsOver() throws Exception {
    try (CairnEngine cairn = open("device.cacheSize", "24k", "capture.wait", "20ms");
        Checkpointer checkpointer = cairn.join("run")) {
      occupied(checkpointer);

      assertThat(checkpointer.checkpoint(1).captured().get()).isInstanceOf(Outcome.Skipped.class);
      device.release();
    }
  }

  @Test
  void aCheckpointLargerThanTheCacheDoesNotWait() throws Exception {
    try (CairnEngine cairn = open("device.cacheSize", "20k", "capture.wait", "1h");
        Checkpointer checkpointer = cairn.join("run")) {
      new Toy().protectBy(checkpointer);

      assertThat(checkpointer.checkpoint(0).captured().get()).isInstanceOf(Outcome.Skipped.class);
    }
  }

  @Test
  void aCancelledRankDoesNotWaitForRoom() throws Exception {
    try (CairnEngine cairn = open(FOREVER);
        Checkpointer checkpointer = cairn.join("run")) {
      occupied(checkpointer);
      check =
          new WhenWaiting(
              () -> {
                throw new CancellationException("the task was killed");
              });

      assertThatThrownBy(() -> checkpointer.checkpoint(1))
          .isInstanceOf(CancellationException.class);
      device.release();
    }
  }

  @Test
  void anInterruptedRankDoesNotWaitForRoom() throws Exception {
    try (CairnEngine cairn = open(FOREVER);
        Checkpointer checkpointer = cairn.join("run")) {
      occupied(checkpointer);
      check = new WhenWaiting(Thread.currentThread()::interrupt);

      assertThatThrownBy(() -> checkpointer.checkpoint(1))
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("interrupted");
      assertThat(Thread.interrupted()).isTrue();
      device.release();
    }
  }

  /** The cadence and the metrics learn how long the rank stood still. */
  @Test
  void theWaitCountsAsBlockingTime() throws Exception {
    List<CairnEvent.Captured> captured = new CopyOnWriteArrayList<>();
    try (CairnEngine cairn = open(FOREVER);
        Checkpointer checkpointer = cairn.join("run")) {
      cairn
          .observers()
          .add(
              event -> {
                if (event instanceof CairnEvent.Captured one) {
                  captured.add(one);
                }
              });
      occupied(checkpointer);
      long[] waited = new long[2];
      int[] asked = new int[1];
      check =
          () -> {
            asked[0]++;
            if (asked[0] == 2) {
              waited[0] = System.nanoTime();
            } else if (asked[0] == 3) {
              waited[1] = System.nanoTime();
              device.release();
            }
          };

      checkpointer.checkpoint(1).captured().join();

      assertThat(captured).hasSize(2);
      assertThat(captured.get(1).blockedNanos()).isGreaterThanOrEqualTo(waited[1] - waited[0]);
      assertThat(cairn.counters().snapshot().get("blocked.nanos"))
          .isGreaterThanOrEqualTo(waited[1] - waited[0]);
    }
  }

  @Test
  void theLastCheckpointWaitsForRoomWithoutTheSetting() throws Exception {
    try (CairnEngine cairn = open("device.cacheSize", "24k");
        Checkpointer checkpointer = cairn.join("run")) {
      occupied(checkpointer);
      check = new WhenWaiting(device::release);

      assertThat(checkpointer.end(1).captured().get()).isInstanceOf(Outcome.Captured.class);
    }
  }

  /** As the documented loop does: it captures each iteration, and ends with the last one. */
  @Test
  void aLastIterationThatFoundNoRoomIsCapturedByItsEnd() throws Exception {
    try (CairnEngine cairn = open("device.cacheSize", "24k", "closeTimeout", "1h")) {
      try (Checkpointer checkpointer = cairn.join("run")) {
        occupied(checkpointer);
        assertThat(checkpointer.checkpoint(1).captured().get()).isInstanceOf(Outcome.Skipped.class);
        int[] asked = new int[1];
        check =
            () -> {
              if (++asked[0] == 2) {
                device.release();
              }
            };

        assertThat(checkpointer.end(1).captured().get()).isInstanceOf(Outcome.Captured.class);
        assertThat(checkpointer.end(1).captured().get()).isInstanceOf(Outcome.Captured.class);
      }
    }
    Path group = new Places(root).store().resolve("test/run");
    assertThat(group.resolve("e000001-i0000000001/MANIFEST")).exists();
    assertThat(group.resolve("epochs/000001-i0000000001.end")).exists();
  }

  /** The iteration before is at STORE, and is no end. */
  @Test
  void aLastIterationThatNeverFindsRoomIsNoEnd() throws Exception {
    try (CairnEngine cairn = open("device.cacheSize", "24k", "closeTimeout", "20ms")) {
      try (Checkpointer checkpointer = cairn.join("run")) {
        occupied(checkpointer);

        assertThat(checkpointer.end(1).captured().get()).isInstanceOf(Outcome.Skipped.class);
        device.release();
      }
    }
    assertThat(new Places(root).store().resolve("test/run/epochs"))
        .isDirectoryNotContaining("glob:**.end");
  }

  /** Its training was killed before the capture had room, and does not wait for that. */
  @Test
  void aCancelledRankClosesAlthoughItsCaptureHasNoRoom() throws Exception {
    try (CairnEngine cairn = open(FOREVER)) {
      Checkpointer checkpointer = cairn.join("run");
      occupied(checkpointer);
      CheckpointTicket second = checkpointer.checkpointBeside(1);
      check =
          () -> {
            device.release();
            throw new CancellationException("the task was killed");
          };

      assertThatCode(checkpointer::close).doesNotThrowAnyException();

      assertThat(second.captured().get()).isInstanceOf(Outcome.Failed.class);
      assertThat(second.sealed(Level.DEVICE)).isDone();
      assertThatIllegalStateException().isThrownBy(() -> checkpointer.checkpoint(2));
      check = () -> {};
      try (Checkpointer next = cairn.join("run")) {
        assertThat(next.epoch()).isEqualTo(2);
      }
    }
  }
}
