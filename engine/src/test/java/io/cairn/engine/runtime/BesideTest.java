package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole way of checkpoints that are copied while the training goes on. */
@Timeout(60)
class BesideTest {
  @TempDir Path root;

  private final Toy toy = new Toy();
  private final CountDownLatch sleeping = new CountDownLatch(1);
  private final CountDownLatch awake = new CountDownLatch(1);
  private CairnEngine cairn;
  private Checkpointer checkpointer;

  @BeforeEach
  void open() throws IOException {
    cairn = new Places(root).open();
    checkpointer = cairn.join("run");
    toy.protectBy(checkpointer);
  }

  @AfterEach
  void close() {
    awake.countDown();
    checkpointer.close();
    cairn.close();
  }

  /** As a listener does: the copy overlaps the next forward and backward pass. */
  private CheckpointTicket run(long from, long to) {
    CheckpointTicket last = null;
    for (long i = from; i < to; i++) {
      checkpointer.awaitCaptured();
      toy.step(i);
      last = checkpointer.checkpointBeside(i);
    }
    return Objects.requireNonNull(last);
  }

  /** From the next capture on, the thread that copies has no core. */
  private void sleepAfter(long iteration) throws InterruptedException {
    sleepWhenCaptured(iteration);
    run(iteration, iteration + 1);
    checkpointer.awaitCaptured();
    sleeping.await();
  }

  private void sleepWhenCaptured(long iteration) {
    cairn
        .observers()
        .add(
            event -> {
              if (event instanceof CairnEvent.Captured captured
                  && captured.id().iteration() == iteration) {
                sleeping.countDown();
                uninterruptibly(awake);
              }
            });
  }

  private static void uninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aTrainingThatWaitsBeforeItWritesResumesExactly() throws Exception {
    CheckpointTicket ticket = run(0, 5);
    checkpointer.awaitCaptured();
    for (Level level : List.of(Level.DEVICE, Level.NODE, Level.STORE)) {
      assertThat(ticket.sealed(level).get()).isEqualTo(new Outcome.Sealed(level));
    }
    assertThat(ticket.captured().get()).isEqualTo(new Outcome.Captured(20_008));
    run(5, 8);

    RestoreReport back = checkpointer.restoreBefore(6).orElseThrow();

    assertThat(back.level()).isEqualTo(Level.DEVICE);
    assertThat(toy).isEqualTo(Toy.undisturbed(6));
    run(6, 12);
    checkpointer.restore();
    assertThat(toy).isEqualTo(Toy.undisturbed(12));
  }

  @Test
  void theTrainingCopiesByItselfWhatAThreadWithoutACoreDoesNot() throws Exception {
    sleepAfter(0);
    toy.step(1);
    CheckpointTicket ticket = checkpointer.checkpointBeside(1);
    assertThat(ticket.captured()).isNotDone();

    checkpointer.awaitCaptured();

    assertThat(ticket.captured().get()).isEqualTo(new Outcome.Captured(20_008));
    assertThat(ticket.sealed(Level.DEVICE)).isNotDone();
    toy.step(2);
    awake.countDown();
    assertThat(ticket.sealed(Level.DEVICE).get()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
    checkpointer.restore();
    assertThat(toy).isEqualTo(Toy.undisturbed(2));
  }

  /** The thread that copies would have no core. */
  @Test
  void aStateThatFitsOneChunkIsCopiedAtOnce() throws Exception {
    checkpointer.close();
    cairn.close();
    cairn = new Places(root).open("chunkSize", "20k");
    Checkpointer other = cairn.join("other");
    other.protect(Region.of("bytes", new byte[50_000]));
    sleepWhenCaptured(0);
    other.checkpointBeside(0);
    other.awaitCaptured();
    sleeping.await();
    checkpointer = cairn.join("run");
    toy.protectBy(checkpointer);

    CheckpointTicket ticket = checkpointer.checkpointBeside(1);

    assertThat(ticket.captured()).isCompletedWithValue(new Outcome.Captured(20_008));
  }

  /** The capture before has not landed yet. */
  @Test
  void aCaptureInPlaceSaysItsBytesBeforeItLands() throws Exception {
    sleepAfter(0);
    toy.step(1);

    CheckpointTicket ticket = checkpointer.checkpoint(1);

    assertThat(ticket.captured()).isCompletedWithValue(new Outcome.Captured(20_008));
    assertThat(ticket.sealed(Level.DEVICE)).isNotDone();
  }

  @Test
  void oneRegionIsWaitedFor() throws Exception {
    float[] frozen = new float[5000];
    checkpointer.protect(Region.of("frozen", frozen));
    sleepAfter(0);
    toy.step(1);
    CheckpointTicket ticket = checkpointer.checkpointBeside(1);

    checkpointer.awaitCaptured("weights");
    toy.step(2);

    assertThat(ticket.captured()).isNotDone();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> checkpointer.awaitCaptured("biases"))
        .withMessageContaining("region biases");
    checkpointer.awaitCaptured("counter");
    checkpointer.awaitCaptured("frozen");
    checkpointer.checkpointBeside(2);
    assertThat(ticket.captured().get())
        .as("the training has waited for all regions")
        .isInstanceOf(Outcome.Captured.class);
    awake.countDown();
    checkpointer.restoreBefore(2);
    assertThat(toy).isEqualTo(Toy.undisturbed(2));
  }

  /** The training may have written the others, too. */
  @Test
  void aTrainingThatWaitsForOneRegionAloneIsNoticed() throws Exception {
    checkpointer.protect(Region.of("other", new float[5000]));
    sleepAfter(0);
    toy.step(1);
    CheckpointTicket torn = checkpointer.checkpointBeside(1);

    checkpointer.awaitCaptured("weights");
    toy.step(2);
    checkpointer.checkpointBeside(2);
    checkpointer.awaitCaptured();
    awake.countDown();

    assertThat(torn.captured().get()).isInstanceOf(Outcome.Failed.class);
    assertThat(torn.sealed(Level.DEVICE).get()).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void aTrainingThatDoesNotWaitIsNoticed() throws Exception {
    sleepAfter(0);
    toy.step(1);
    CheckpointTicket torn = checkpointer.checkpointBeside(1);
    toy.step(2);
    CheckpointTicket next = checkpointer.checkpointBeside(2);
    checkpointer.awaitCaptured();
    awake.countDown();

    Outcome outcome = torn.captured().get();
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(((Outcome.Failed) outcome).reason())
        .contains("may have written under the copy")
        .contains("call awaitCaptured() before the regions are written");
    assertThat(torn.sealed(Level.DEVICE).get()).isInstanceOf(Outcome.Failed.class);
    assertThat(next.sealed(Level.DEVICE).get()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
    checkpointer.restore();
    assertThat(toy).isEqualTo(Toy.undisturbed(3));
  }

  /** The copy has ended, but it went on while the training wrote. */
  @Test
  void aTrainingThatDoesNotWaitIsNoticedAfterTheCopyAsWell() throws Exception {
    toy.step(0);
    CheckpointTicket torn = checkpointer.checkpointBeside(0);
    try (Checkpointer other = cairn.join("other")) {
      // on the thread that copies, its turn comes after the first one's
      new Toy().protectBy(other);
      CheckpointTicket behind = other.checkpointBeside(0);
      other.awaitCaptured();
      behind.sealed(Level.DEVICE).get();
    }

    toy.step(1);
    assertThat(torn.captured()).isNotDone();
    checkpointer.checkpoint(1);

    assertThat(torn.captured().get()).isInstanceOf(Outcome.Failed.class);
    assertThat(torn.sealed(Level.STORE).get()).isInstanceOf(Outcome.Failed.class);
    assertThat(checkpointer.checkpoints())
        .extracting(held -> held.id().iteration())
        .containsOnly(1L);
  }

  @Test
  void anEndOfTheSameIterationCopiesTheRest() throws Exception {
    sleepAfter(0);
    toy.step(1);
    CheckpointTicket ticket = checkpointer.checkpointBeside(1);
    Thread trainer = new Thread(() -> checkpointer.end(1));
    trainer.start();

    assertThat(ticket.captured().get()).isInstanceOf(Outcome.Captured.class);

    awake.countDown();
    trainer.join();
    assertThat(ticket.sealed(Level.DEVICE).get()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
  }

  @Test
  void aRollbackALoadAndACloseCopyTheRest() throws Exception {
    sleepAfter(0);
    toy.step(1);
    CheckpointTicket ticket = checkpointer.checkpointBeside(1);
    float[] weights = new float[toy.weights.length];
    Thread trainer =
        new Thread(() -> checkpointer.load(ticket.id(), Region.of("weights", weights)));
    trainer.start();
    assertThat(ticket.captured().get()).isInstanceOf(Outcome.Captured.class);
    awake.countDown();
    trainer.join();
    assertThat(weights).isEqualTo(Toy.undisturbed(2).weights);

    toy.step(2);
    checkpointer.checkpointBeside(2);
    checkpointer.restore();
    assertThat(toy).isEqualTo(Toy.undisturbed(3));

    toy.step(3);
    checkpointer.checkpointBeside(3);
    checkpointer.close();
    Arrays.fill(toy.weights, -1);
    checkpointer = cairn.join("run");
    toy.protectBy(checkpointer);
    checkpointer.restore();
    assertThat(toy).isEqualTo(Toy.undisturbed(4));
  }

  /** Of a device that copies later, the ticket says when the regions are free. */
  @Test
  void everyKindOfCaptureIsWaitedFor() throws Exception {
    Places places = new Places(Files.createDirectory(root.resolve("late")));
    try (CairnEngine late =
            CairnEngine.open(
                places.config(),
                LocalStore.open(places.store(), Durability.PROCESS),
                new DelayedDevice(1 << 20, 3));
        Checkpointer other = late.join("run")) {
      other.awaitCaptured();
      toy.protectBy(other);
      for (long i = 0; i < 6; i++) {
        toy.step(i);
        CheckpointTicket ticket = i % 2 == 0 ? other.checkpoint(i) : other.checkpointBeside(i);
        other.awaitCaptured();
        assertThat(ticket.captured()).isCompletedWithValue(new Outcome.Captured(20_008));
      }
      toy.step(6);
      other.restore();
      assertThat(toy).isEqualTo(Toy.undisturbed(6));
    }
  }

  /** Nothing shows whether the other region was copied before or after it was written. */
  @Test
  void aTrainingThatWaitsForOneRegionAloneIsNoticedAfterTheCopyAsWell() throws Exception {
    toy.step(0);
    CheckpointTicket torn = checkpointer.checkpointBeside(0);
    try (Checkpointer other = cairn.join("other")) {
      new Toy().protectBy(other);
      CheckpointTicket behind = other.checkpointBeside(0);
      other.awaitCaptured();
      behind.sealed(Level.DEVICE).get();
    }

    checkpointer.awaitCaptured("weights");
    assertThat(torn.captured()).isNotDone();
    checkpointer.checkpoint(1);

    assertThat(torn.captured().get()).isInstanceOf(Outcome.Failed.class);
  }
}
