package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole way on devices whose copies land later than the call that started them. */
@Timeout(30)
class LateCopiesTest {
  private static final String[] ONE_AT_DEVICE = {
    "device.cacheSize", "24k", "node.every", "1000", "store.every", "1000"
  };

  @TempDir Path root;

  private CairnEngine open(DeviceMemory device, String... settings) throws IOException {
    Places places = new Places(root);
    return CairnEngine.open(
        places.config(settings), LocalStore.open(places.store(), Durability.PROCESS), device);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aTrainingThatWaitsForItsCapturesResumesExactly(long seed) throws Exception {
    try (CairnEngine cairn = open(new DelayedDevice(1 << 20, seed));
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      CheckpointTicket ticket = toy.run(checkpointer, 0, 5);
      for (Level level : List.of(Level.DEVICE, Level.NODE, Level.STORE)) {
        assertThat(ticket.sealed(level).get())
            .as("seed %d", seed)
            .isEqualTo(new Outcome.Sealed(level));
      }
      toy.run(checkpointer, 5, 8);
      RestoreReport back = checkpointer.restoreBefore(6).orElseThrow();
      assertThat(back.level()).as("seed %d", seed).isEqualTo(Level.DEVICE);
      assertThat(toy).as("seed %d", seed).isEqualTo(Toy.undisturbed(6));
      toy.run(checkpointer, 6, 9);
    }
    try (CairnEngine cairn = open(new DelayedDevice(1 << 20, seed + 100));
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();
      assertThat(report.level()).as("seed %d", seed).isEqualTo(Level.NODE);
      assertThat(report.id().iteration()).isEqualTo(8);
      toy.run(checkpointer, 9, 12);
      assertThat(toy).as("seed %d", seed).isEqualTo(Toy.undisturbed(12));
    }
  }

  @Test
  void aTrainingThatDoesNotWaitCapturesWhatItWroteTooEarly() throws Exception {
    HeldDevice device = new HeldDevice();
    try (CairnEngine cairn = open(device);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.step(0);
      device.hold();
      CheckpointTicket ticket = checkpointer.checkpoint(0);
      assertThat(ticket.captured()).isNotDone();
      toy.step(1);
      device.release();
      assertThat(ticket.captured().get()).isInstanceOf(Outcome.Captured.class);
      checkpointer.restore();
      assertThat(toy.weights).isNotEqualTo(Toy.undisturbed(1).weights);
      assertThat(toy.weights).isEqualTo(Toy.undisturbed(2).weights);
    }
  }

  @Test
  void aTrainingGoesOnOnceItsRegionsWereRead() throws Exception {
    HeldDevice device = HeldDevice.withStage();
    try (CairnEngine cairn = open(device);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.step(0);
      device.hold();
      CheckpointTicket ticket = checkpointer.checkpoint(0);
      assertThat(ticket.captured().get()).isInstanceOf(Outcome.Captured.class);
      assertThat(ticket.sealed(Level.DEVICE)).isNotDone();
      toy.step(1);
      device.release();
      assertThat(ticket.sealed(Level.NODE).get()).isEqualTo(new Outcome.Sealed(Level.NODE));
      checkpointer.restore();
      assertThat(toy).isEqualTo(Toy.undisturbed(1));
    }
  }

  /** The capture before is on its way, and leaves the cache when it has landed. */
  @Test
  void aCaptureWaitsForTheOneBeforeInACacheForOne() throws Exception {
    HeldDevice device = HeldDevice.withStage();
    Thread trainer = Thread.currentThread();
    try (CairnEngine cairn = open(device, ONE_AT_DEVICE);
        Checkpointer checkpointer = cairn.join("run")) {
      new Toy().protectBy(checkpointer);
      device.hold();
      checkpointer.checkpoint(1).captured().join();
      Thread releaser =
          new Thread(
              () -> {
                while (trainer.getState() != Thread.State.TIMED_WAITING) {
                  Thread.onSpinWait();
                }
                device.release();
              });
      releaser.setDaemon(true);
      releaser.start();

      CheckpointTicket second = checkpointer.checkpoint(2);

      assertThat(second.sealed(Level.DEVICE).join()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
    } finally {
      device.release();
    }
  }

  @Test
  void aCaptureDoesNotWaitLongForOneThatDoesNotLand() throws Exception {
    HeldDevice device = HeldDevice.withStage();
    try (CairnEngine cairn = open(device, ONE_AT_DEVICE);
        Checkpointer checkpointer = cairn.join("run")) {
      new Toy().protectBy(checkpointer);
      device.hold();
      checkpointer.checkpoint(1).captured().join();

      CheckpointTicket second = checkpointer.checkpoint(2);

      assertThat(second.captured().join()).isInstanceOf(Outcome.Skipped.class);
      device.release();
    }
  }

  /** The device has copied the second one before the first has landed. */
  @Test
  void capturesLandInTheirOrder() throws Exception {
    HeldDevice device = HeldDevice.withStage();
    List<Long> landed = new CopyOnWriteArrayList<>();
    try (CairnEngine cairn = open(device);
        Checkpointer checkpointer = cairn.join("run")) {
      cairn
          .observers()
          .add(
              event -> {
                if (event instanceof CairnEvent.Captured captured) {
                  landed.add(captured.id().iteration());
                }
              });
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      device.hold();
      checkpointer.checkpoint(0).captured().join();
      CountDownLatch first = device.holdNoMore();
      CheckpointTicket second = checkpointer.checkpoint(1);
      assertThat(second.captured()).isDone();
      first.countDown();
      assertThat(second.sealed(Level.DEVICE).get()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
    }
    assertThat(landed).containsExactly(0L, 1L);
  }

  /** The last checkpoint has rights of its own, which a capture gets when it has landed. */
  @Test
  void anEndWaitsForTheCaptureThatItNames() throws Exception {
    HeldDevice device = HeldDevice.withStage();
    try (CairnEngine cairn = open(device);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      device.hold();
      checkpointer.checkpoint(0).captured().join();
      Thread trainer = new Thread(() -> checkpointer.end(0));
      trainer.start();
      while (trainer.getState() != Thread.State.TIMED_WAITING
          && trainer.getState() != Thread.State.WAITING) {
        assertThat(trainer.isAlive()).as("ended before the copy had landed").isTrue();
        Thread.onSpinWait();
      }
      device.release();
      trainer.join();
    }
  }

  @Test
  void whatTheDeviceLosesAfterwardsIsSealedNowhere() throws Exception {
    HeldDevice device = HeldDevice.withStage();
    try (CairnEngine cairn = open(device);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.step(0);
      device.hold();
      device.failNextCopy(new IOException("broken lane"));
      CheckpointTicket ticket = checkpointer.checkpoint(0);
      assertThat(ticket.captured().get()).isInstanceOf(Outcome.Captured.class);
      device.release();
      for (Level level : List.of(Level.DEVICE, Level.NODE, Level.STORE)) {
        assertThat(ticket.sealed(level).get()).isInstanceOf(Outcome.Failed.class);
      }
      assertThat(checkpointer.restore()).isEmpty();
    }
  }

  @Test
  void aRollbackWaitsForACaptureWhoseRegionsWereRead() throws Exception {
    HeldDevice device = HeldDevice.withStage();
    try (CairnEngine cairn = open(device);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.step(0);
      device.hold();
      CheckpointTicket ticket = checkpointer.checkpoint(0);
      assertThat(ticket.captured()).isDone();
      AtomicReference<RestoreReport> report = new AtomicReference<>();
      Thread trainer = new Thread(() -> report.set(checkpointer.restore().orElseThrow()));
      trainer.start();
      while (trainer.getState() != Thread.State.WAITING) {
        assertThat(trainer.isAlive()).as("went back before the copy had landed").isTrue();
        Thread.onSpinWait();
      }
      device.release();
      trainer.join();
      assertThat(report.get().id().label()).isEqualTo("e1-i0");
      assertThat(toy).isEqualTo(Toy.undisturbed(1));
    }
  }

  @Test
  void capturesLandOnTheCaptureThread() throws Exception {
    HeldDevice device = new HeldDevice();
    List<String> threads = new CopyOnWriteArrayList<>();
    try (CairnEngine cairn = open(device);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      device.hold();
      CheckpointTicket ticket = checkpointer.checkpoint(0);
      CompletableFuture<Void> noted =
          ticket.captured().thenRun(() -> threads.add(Thread.currentThread().getName()));
      device.release();
      noted.get();
    }
    assertThat(threads).containsExactly("cairn-capture");
  }

  /** There is no room for the second checkpoint, which is skipped while the first is in flight. */
  @Test
  void aRollbackWaitsForTheCaptureInFlight() throws Exception {
    HeldDevice device = new HeldDevice();
    try (CairnEngine cairn = open(device, "device.cacheSize", "24k");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.step(0);
      device.hold();
      CheckpointTicket first = checkpointer.checkpoint(0);
      CheckpointTicket second = checkpointer.checkpoint(1);
      assertThat(second.captured().get()).isInstanceOf(Outcome.Skipped.class);
      AtomicReference<RestoreReport> report = new AtomicReference<>();
      Thread trainer = new Thread(() -> report.set(checkpointer.restore().orElseThrow()));
      trainer.start();
      while (trainer.getState() != Thread.State.WAITING) {
        assertThat(trainer.isAlive()).as("went back over a copy in flight").isTrue();
        Thread.onSpinWait();
      }
      assertThat(first.captured()).isNotDone();
      device.release();
      trainer.join();
      assertThat(report.get().id().label()).isEqualTo("e1-i0");
      assertThat(toy).isEqualTo(Toy.undisturbed(1));
    }
  }

  @Test
  void aFencedCaptureIsNotCalledDoneWhileTheDeviceStillReads() throws Exception {
    HeldDevice device = new HeldDevice();
    try (CairnEngine cairn = open(device);
        Checkpointer earlier = cairn.join("run")) {
      Toy zombie = new Toy();
      zombie.protectBy(earlier);
      zombie.step(0);
      device.hold();
      CheckpointTicket ticket = earlier.checkpoint(0);
      try (Checkpointer later = cairn.join("run")) {
        assertThat(ticket.sealed(Level.DEVICE).get()).isInstanceOf(Outcome.Fenced.class);
        assertThat(ticket.captured()).isNotDone();
        device.release();
        assertThat(ticket.captured().get()).isInstanceOf(Outcome.Captured.class);
        assertThat(earlier.checkpoint(1).captured().get()).isInstanceOf(Outcome.Fenced.class);
        assertThat(later.epoch()).isEqualTo(2);
      }
    }
  }

  @Test
  void aCopyThatFailsFailsTheTicketAndNothingElse() throws Exception {
    DelayedDevice device = new DelayedDevice(1 << 20, 3);
    try (CairnEngine cairn = open(device);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      // down to STORE, so that the next copy is a capture's and not a flush's
      toy.run(checkpointer, 0, 1).sealed(Level.STORE).get();
      device.failNextCopy(new IOException("broken lane"));
      CheckpointTicket failed = toy.run(checkpointer, 1, 3);
      assertThat(failed.captured().get().toString()).doesNotContain("broken lane");
      assertThat(failed.sealed(Level.NODE).get()).isEqualTo(new Outcome.Sealed(Level.NODE));
      assertThat(cairn.counters().count(Level.DEVICE, Outcome.Failed.class)).isEqualTo(1);
      RestoreReport report = checkpointer.restore().orElseThrow();
      assertThat(report.id().iteration()).isEqualTo(2);
      assertThat(toy).isEqualTo(Toy.undisturbed(3));
    }
  }
}
