package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.flush.store.CheckpointStores;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Work that hangs is named with the place where it hangs, while the training goes on. */
class HangTest {
  @TempDir private Path root;

  private final BlockingQueue<CairnEvent.Hangs> hangs = new LinkedBlockingQueue<>();
  private final CountDownLatch released = new CountDownLatch(1);

  private void note(CairnEvent event) {
    if (event instanceof CairnEvent.Hangs one) {
      hangs.add(one);
    }
  }

  private void hang() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Slow work is reported, too, so this is the first report of work that hangs here. */
  private CairnEvent.Hangs reported() throws InterruptedException {
    CairnEvent.Hangs found = hangs.take();
    while (found.stack().stream().noneMatch(frame -> frame.getMethodName().equals("hang"))) {
      found = hangs.take();
    }
    return found;
  }

  @Test
  void aStoreThatHangsIsNamed() throws Exception {
    Places places = new Places(root);
    GatedStore store = new GatedStore(CheckpointStores.open(places.store().toString()));
    try (CairnEngine cairn =
            CairnEngine.open(
                places.config(
                    "cairn.watchdog.after", "40ms", "node.every", "1", "store.every", "1"),
                store,
                Devices.open(places.config()));
        Checkpointer checkpointer = cairn.join("run")) {
      cairn.observers().add(this::note);
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 1).sealed(Level.STORE).get();
      store.gate(
          (operation, path) -> {
            if (operation.equals("create")) {
              hang();
            }
          });

      CheckpointTicket ticket = toy.run(checkpointer, 1, 2);

      CairnEvent.Hangs hang = reported();
      assertThat(hang.work()).isEqualTo("the write of e1-i1 to STORE");
      assertThat(hang.member()).isEqualTo(checkpointer.member());
      assertThat(hang.thread()).startsWith("cairn-store");
      assertThat(ticket.sealed(Level.NODE).get()).isEqualTo(new Outcome.Sealed(Level.NODE));
      released.countDown();
      assertThat(ticket.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
      assertThat(cairn.counters().snapshot().get("hangs")).isPositive();
    }
  }

  @Test
  void aCaptureThatHangsIsNamed() throws Exception {
    try (CairnEngine cairn = new Places(root).open("cairn.watchdog.after", "40ms");
        Checkpointer checkpointer = cairn.join("run")) {
      cairn.observers().add(this::note);
      checkpointer.protect(
          Region.of(
              "rng",
              () -> {
                hang();
                return new byte[1];
              },
              bytes -> {}));
      Thread training = new Thread(() -> checkpointer.checkpoint(0), "training");
      training.start();

      CairnEvent.Hangs hang = reported();

      assertThat(hang.thread()).isEqualTo("training");
      assertThat(hang.work()).isEqualTo("its capture");
      released.countDown();
      training.join();
    }
  }
}
