package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rank whose state takes six chunks, of which its cache holds five, and nobody lends. */
@Timeout(60)
class StraightCaptureTest {
  /** Iterations that find no room before the rank does without. */
  private static final int MISSED = 2;

  private static final String[] TIGHT = {
    "device.cacheSize", "20k", "node.every", "1", "store.every", "2"
  };

  @TempDir Path root;

  private final AtomicReference<GatedLevel> node = new AtomicReference<>();
  private final List<CairnEvent> events = new CopyOnWriteArrayList<>();

  private Places places() {
    return new Places(root);
  }

  private CairnEngine open(String... settings) throws IOException {
    String[] all = Arrays.copyOf(TIGHT, TIGHT.length + settings.length);
    System.arraycopy(settings, 0, all, TIGHT.length, settings.length);
    List<StepPlan> steps =
        List.of(
            new StepPlan(
                Level.NODE,
                Level.DEVICE,
                levels -> {
                  node.set(GatedLevel.node(levels));
                  return node.get();
                }),
            StepPlan.ALL.get(1));
    CheckpointStore store = CheckpointStores.open(places().store().toString());
    CairnEngine cairn =
        CairnEngine.open(places().config(all), store, new DelayedDevice(5 * 4096, 3), steps);
    cairn
        .observers()
        .add(
            event -> {
              if (event instanceof CairnEvent.FellBack
                  || event instanceof CairnEvent.HasRoomAgain) {
                events.add(event);
              }
            });
    return cairn;
  }

  /** Takes the steps that find no room. */
  private static Toy fallen(Checkpointer checkpointer) {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    assertThat(toy.run(checkpointer, 0, MISSED).captured().join())
        .isInstanceOf(Outcome.Skipped.class);
    return toy;
  }

  private static CheckpointTicket step(Toy toy, Checkpointer checkpointer, long iteration) {
    return toy.run(checkpointer, iteration, iteration + 1);
  }

  /** In a process with room. */
  private void assertRestores(long iteration, Level level) throws IOException {
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();
      assertThat(report.id().iteration()).isEqualTo(iteration);
      assertThat(report.level()).isEqualTo(level);
      assertThat(toy).isEqualTo(Toy.undisturbed(iteration + 1));
    }
  }

  @Test
  void aRankThatFindsNoRoomGoesStraightToTheLevelsBelow() throws Exception {
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = fallen(checkpointer);

      CheckpointTicket ticket = toy.run(checkpointer, MISSED, 9);

      assertThat(ticket.captured().join()).isInstanceOf(Outcome.Captured.class);
      assertThat(ticket.sealed(Level.DEVICE).join()).isInstanceOf(Outcome.Skipped.class);
      assertThat(ticket.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
      assertThat(ticket.sealed(Level.STORE).join()).isEqualTo(new Outcome.Sealed(Level.STORE));
      assertThat(events).hasSize(1).first().isInstanceOf(CairnEvent.FellBack.class);
      assertThat(cairn.counters().snapshot()).containsEntry("device.fallbacks", 1L);
    }
    assertRestores(8, Level.NODE);
  }

  @Test
  void aCaptureBesideTheTrainingGoesStraightWhileTheTrainingWaits() throws Exception {
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = fallen(checkpointer);
      toy.step(MISSED);

      CheckpointTicket ticket = checkpointer.checkpointBeside(MISSED);
      checkpointer.awaitCaptured();

      assertThat(ticket.captured())
          .isCompletedWithValueMatching(Outcome.Captured.class::isInstance);
      toy.step(MISSED + 1);
      assertThat(ticket.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
    }
    assertRestores(MISSED, Level.NODE);
  }

  @Test
  void aCheckpointThatIsDueOnlyAtDeviceIsSkipped() throws Exception {
    try (CairnEngine cairn = open("node.every", "3", "store.every", "6");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = fallen(checkpointer);

      assertThat(step(toy, checkpointer, 2).captured().join()).isInstanceOf(Outcome.Skipped.class);
      assertThat(step(toy, checkpointer, 3).captured().join()).isInstanceOf(Outcome.Captured.class);
      assertThat(step(toy, checkpointer, 4).captured().join()).isInstanceOf(Outcome.Skipped.class);
    }
  }

  /** Iterations of a few milliseconds, none of which the periods send to NODE. */
  @Test
  void workAtRiskStaysWithinItsBoundWithoutDevice() throws Exception {
    try (CairnEngine cairn =
            open("node.every", "1000000", "store.every", "1000000", "node.within", "100ms");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = fallen(checkpointer);
      long iteration = MISSED;

      while (cairn.counters().count(Level.NODE, Outcome.Sealed.class) < 2) {
        step(toy, checkpointer, iteration++);
      }

      assertThat(cairn.counters().count(Level.DEVICE, Outcome.Sealed.class)).isZero();
    }
  }

  @Test
  void theLastCheckpointDoesNotWaitForThreeMisses() throws Exception {
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.step(0);

      CheckpointTicket last = checkpointer.end(0);

      assertThat(last.captured().join()).isInstanceOf(Outcome.Captured.class);
      assertThat(last.sealed(Level.STORE).join()).isEqualTo(new Outcome.Sealed(Level.STORE));
    }
    assertRestores(0, Level.NODE);
  }

  @Test
  void anEndBringsToStoreWhatWentPastDeviceToNodeAlone() throws Exception {
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = fallen(checkpointer);
      CheckpointTicket first = toy.run(checkpointer, MISSED, 4);
      assertThat(first.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
      assertThat(first.sealed(Level.STORE).join()).isInstanceOf(Outcome.NotDue.class);

      CheckpointTicket last = checkpointer.end(3);

      assertThat(last.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
      assertThat(last.sealed(Level.STORE).join()).isEqualTo(new Outcome.Sealed(Level.STORE));
    }
    assertRestores(3, Level.NODE);
  }

  @Test
  void ifNodeFailsStoreReadsTheRegionsWhileTheTrainingWaits() throws Exception {
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = fallen(checkpointer);
      node.get()
          .gate(
              () -> {
                throw new IOException("the node's disk is full");
              });

      CheckpointTicket ticket = step(toy, checkpointer, 2);
      toy.step(1000);

      assertThat(ticket.captured().join()).isInstanceOf(Outcome.Captured.class);
      assertThat(ticket.sealed(Level.NODE).join()).isInstanceOf(Outcome.Failed.class);
      assertThat(ticket.sealed(Level.STORE).join()).isEqualTo(new Outcome.Sealed(Level.STORE));
      CheckpointTicket lost = step(toy, checkpointer, 3);
      assertThat(lost.captured().join().toString()).contains("the node's disk is full");
    }
    assertRestores(2, Level.STORE);
  }

  @Test
  void aNodeThatHangsHoldsTheTrainingForCloseTimeoutOnce() throws Exception {
    CountDownLatch hang = new CountDownLatch(1);
    try (CairnEngine cairn = open("closeTimeout", "200ms");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = fallen(checkpointer);
      node.get().gate(() -> await(hang));

      CheckpointTicket held = step(toy, checkpointer, 2);
      CheckpointTicket next = step(toy, checkpointer, 3);

      assertThat(held.captured().join().toString()).contains("closeTimeout");
      assertThat(held.sealed(Level.NODE).join()).isInstanceOf(Outcome.Failed.class);
      assertThat(next.captured().join()).isInstanceOf(Outcome.Skipped.class);
      assertThat(next.captured().join().toString()).contains("has not ended");

      hang.countDown();
      node.get().gate(() -> {});
      long iteration = 4;
      while (!(step(toy, checkpointer, iteration).captured().join() instanceof Outcome.Captured)) {
        iteration++;
      }
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }

  /** Blocks the writer of NODE, and runs an action when the training has begun to wait for it. */
  private CompletableFuture<Void> whenHeld(CountDownLatch open, Runnable action) {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    node.get()
        .gate(
            () -> {
              begun.complete(null);
              await(open);
            });
    return begun.thenRunAsync(action);
  }

  @Test
  void aLaterEpochEndsTheWait() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    try (CairnEngine cairn = open("closeTimeout", "1h");
        Checkpointer earlier = cairn.join("run")) {
      Toy toy = fallen(earlier);
      AtomicReference<Checkpointer> later = new AtomicReference<>();
      CompletableFuture<Void> joined = whenHeld(open, () -> later.set(cairn.join("run")));

      CheckpointTicket ticket = step(toy, earlier, 2);

      assertThat(ticket.captured().join()).isInstanceOf(Outcome.Fenced.class);
      assertThat(ticket.sealed(Level.NODE).join()).isInstanceOf(Outcome.Fenced.class);
      open.countDown();
      joined.join();
      later.get().close();
    }
  }

  @Test
  void aCancelledRankDoesNotWait() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    AtomicReference<Runnable> check = new AtomicReference<>(() -> {});
    try (CairnEngine cairn = open("closeTimeout", "20s")) {
      cairn.interruption(() -> check.get().run());
      try (Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = fallen(checkpointer);
        CompletableFuture<Void> cancelled =
            whenHeld(
                open,
                () ->
                    check.set(
                        () -> {
                          throw new CancellationException("the task was killed");
                        }));

        toy.step(2);
        assertThatThrownBy(() -> checkpointer.checkpoint(2))
            .isInstanceOf(CancellationException.class);

        cancelled.join();
        open.countDown();
      }
    }
  }

  @Test
  void aStateThatShrinksIntoTheCacheIsCapturedThereAgain() throws Exception {
    AtomicReference<byte[]> state = new AtomicReference<>(new byte[6 * 4096]);
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("run")) {
      checkpointer.protect(
          Region.resizable("state", state::get, bytes -> state.set(new byte[(int) bytes])));
      for (long iteration = 0; iteration < MISSED; iteration++) {
        checkpointer.checkpoint(iteration);
      }
      Arrays.fill(state.get(), (byte) 5);
      CheckpointTicket large = checkpointer.checkpoint(2);
      assertThat(large.captured().join()).isEqualTo(new Outcome.Captured(6 * 4096));

      state.set(new byte[4096]);
      CheckpointTicket small = checkpointer.checkpoint(3);
      assertThat(small.sealed(Level.DEVICE).join()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
      assertThat(events).hasSize(2).last().isInstanceOf(CairnEvent.HasRoomAgain.class);

      state.set(new byte[0]);
      assertThat(checkpointer.restoreBefore(3)).isPresent();
      byte[] expected = new byte[6 * 4096];
      Arrays.fill(expected, (byte) 5);
      assertThat(state.get()).isEqualTo(expected);
    }
  }
}
