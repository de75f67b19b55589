package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LateStore;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that starts while NODE or STORE cannot be used takes them into use later. */
@Timeout(120)
class LateStartTest {
  private static final Outcome SEALED_AT_NODE = new Outcome.Sealed(Level.NODE);
  private static final Outcome SEALED_AT_STORE = new Outcome.Sealed(Level.STORE);

  @TempDir Path root;

  private final AtomicInteger failures = new AtomicInteger();

  private Places places() {
    return new Places(root);
  }

  private LateStore store() {
    return new LateStore(
        "STORE",
        () -> {
          if (failures.getAndDecrement() > 0) {
            throw new IOException("connection refused");
          }
          return LocalStore.open(places().store(), Durability.PROCESS);
        },
        System::nanoTime);
  }

  @Test
  void aStoreThatIsAwayAtTheStartIsTakenIntoUseLater() throws Exception {
    failures.set(2);

    try (CairnEngine cairn = CairnEngine.openLate(places().config(), store());
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore()).isEmpty();

      assertThat(toy.run(checkpointer, 0, 1).sealed(Level.STORE).get()).isEqualTo(SEALED_AT_STORE);
    }
  }

  @Test
  void aStoreThatHangsDoesNotHoldUpTheStart() throws Exception {
    CountDownLatch goesOn = new CountDownLatch(1);
    LateStore hanging =
        new LateStore(
            "STORE",
            () -> {
              try {
                goesOn.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              return LocalStore.open(places().store(), Durability.PROCESS);
            },
            System::nanoTime);

    try (CairnEngine cairn =
        CairnEngine.openLate(places().config(), hanging, Duration.ofMillis(50))) {
      goesOn.countDown();
      try (Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = new Toy();
        toy.protectBy(checkpointer);

        assertThat(toy.run(checkpointer, 0, 1).sealed(Level.STORE).get())
            .isEqualTo(SEALED_AT_STORE);
      }
    }
  }

  @Test
  void aNodeThatCannotBeUsedFailsWithItsReasonAndStoreIsSealed() throws Exception {
    Path file = Files.createFile(root.resolve("a-file"));

    try (CairnEngine cairn =
            CairnEngine.openLate(places().config("node.dir", file.toString()), store());
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      CheckpointTicket ticket = toy.run(checkpointer, 0, 1);

      assertThat(ticket.sealed(Level.NODE).get()).isInstanceOf(Outcome.Failed.class);
      assertThat(ticket.sealed(Level.NODE).get().toString()).contains(file.toString());
      assertThat(ticket.sealed(Level.STORE).get()).isEqualTo(SEALED_AT_STORE);
    }
  }

  @Test
  void aNodeThatBecomesUsableIsTakenIntoUse() throws Exception {
    Path file = Files.createFile(root.resolve("a-file"));
    String[] settings = {"node.dir", file.toString(), "node.every", "1"};

    try (CairnEngine cairn = CairnEngine.openLate(places().config(settings), store());
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      Outcome outcome = toy.run(checkpointer, 0, 1).sealed(Level.NODE).get();
      Files.delete(file);
      // the class's timeout bounds the wait
      for (long i = 1; !outcome.equals(SEALED_AT_NODE); i++) {
        outcome = toy.run(checkpointer, i, i + 1).sealed(Level.NODE).get();
      }

      assertThat(places().config(settings).nodeDirectory()).isDirectory();
    }
  }
}
