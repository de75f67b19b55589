package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that fails or hangs in mid-run: the training and the levels above do not notice. */
@Timeout(30)
class StoreOutageTest {
  @TempDir Path root;

  private GatedStore store() throws IOException {
    return new GatedStore(LocalStore.open(new Places(root).store(), Durability.PROCESS));
  }

  private static void requireSealed(CheckpointTicket ticket, Level level) throws Exception {
    assertThat(ticket.sealed(level).get()).isEqualTo(new Outcome.Sealed(level));
  }

  private void requireResumes(String label) throws Exception {
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();
      assertThat(report.id().label()).isEqualTo(label);
      assertThat(toy).isEqualTo(Toy.undisturbed(report.id().iteration() + 1));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "create,Read-only file system",
    "write,No space left on device",
    "sync,Input/output error",
    "publish,Permission denied"
  })
  void failsTheTicketsByPathAndCauseUntilItComesBack(String operation, String cause)
      throws Exception {
    GatedStore store = store();
    try (CairnEngine cairn = CairnEngine.open(new Places(root).config(), store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      requireSealed(toy.run(checkpointer, 0, 1), Level.STORE);
      store.gate(
          (at, path) -> {
            if (at.equals(operation)) {
              throw new IOException(path + ": " + cause);
            }
          });
      CheckpointTicket ticket = toy.run(checkpointer, 1, 5);
      assertThat(ticket.sealed(Level.STORE).get()).isInstanceOf(Outcome.Failed.class);
      assertThat(ticket.sealed(Level.STORE).get().toString())
          .contains(cause)
          .contains("e000001-i0000000004/");
      requireSealed(ticket, Level.NODE);
      store.gate(GatedStore.Gate.OPEN);
      requireSealed(toy.run(checkpointer, 5, 9), Level.STORE);
      assertThat(toy).isEqualTo(Toy.undisturbed(9));
    }
    requireResumes("e1-i8");
  }

  @Test
  void aStoreThatIsGoneFailsByNameAndIsUsedAgainWhenItIsBack() throws Exception {
    Path where = new Places(root).store();
    Path elsewhere = root.resolve("unmounted");
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      requireSealed(toy.run(checkpointer, 0, 1), Level.STORE);
      Files.move(where, elsewhere);
      CheckpointTicket ticket = toy.run(checkpointer, 1, 5);
      assertThat(ticket.sealed(Level.STORE).get()).isInstanceOf(Outcome.Failed.class);
      assertThat(ticket.sealed(Level.STORE).get().toString()).contains(where.toString(), "is gone");
      requireSealed(ticket, Level.NODE);
      Files.move(elsewhere, where);
      requireSealed(toy.run(checkpointer, 5, 9), Level.STORE);
    }
    requireResumes("e1-i8");
  }

  /** Three checkpoints of 20 kB fit into the queue: one that is being written, two that wait. */
  @ParameterizedTest
  @ValueSource(strings = {"create", "write", "sync"})
  void aStoreThatHangsIsSkippedAndHoldsUpNothingAboveIt(String operation) throws Exception {
    GatedStore store = store();
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    try (CairnEngine cairn = CairnEngine.open(new Places(root).config("queueSize", "65k"), store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      requireSealed(toy.run(checkpointer, 0, 1), Level.STORE);
      store.gate((at, path) -> hang(at.equals(operation), hangs, goesOn));
      CheckpointTicket fourth = toy.run(checkpointer, 1, 5);
      hangs.await();
      requireSealed(fourth, Level.NODE);
      CheckpointTicket eighth = runSealingEach(toy, checkpointer, 5, 9);
      CheckpointTicket twelfth = runSealingEach(toy, checkpointer, 9, 13);
      CheckpointTicket sixteenth = runSealingEach(toy, checkpointer, 13, 17);
      assertThat(sixteenth.sealed(Level.STORE).get()).isInstanceOf(Outcome.Skipped.class);
      assertThat(sixteenth.sealed(Level.STORE).get().toString())
          .contains("STORE is slower than the cadence");
      assertThat(cairn.counters().count(Level.DEVICE, Outcome.Sealed.class)).isEqualTo(17);
      assertThat(fourth.sealed(Level.STORE)).isNotDone();
      assertThat(directories(new Places(root).nodeOfStore()))
          .contains("e000001-i0000000004", "e000001-i0000000008");
      goesOn.countDown();
      requireSealed(fourth, Level.STORE);
      requireSealed(eighth, Level.STORE);
      requireSealed(twelfth, Level.STORE);
      requireSealed(runSealingEach(toy, checkpointer, 17, 21), Level.STORE);
    }
    assertThat(directories(new Places(root).nodeOfStore()))
        .containsExactly("e000001-i0000000018", "e000001-i0000000020");
    requireResumes("e1-i20");
  }

  /** The manifest is what the coordinator writes; DEVICE and NODE are its business, too. */
  @Test
  void aCommitThatHangsHoldsUpNoSealAtDeviceAndNode() throws Exception {
    GatedStore store = store();
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    try (CairnEngine cairn = CairnEngine.open(new Places(root).config(), store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      store.gate((at, path) -> hang(at.equals("publish"), hangs, goesOn));
      CheckpointTicket first = toy.run(checkpointer, 0, 1);
      hangs.await();
      CheckpointTicket ninth = runSealingEach(toy, checkpointer, 1, 9);
      assertThat(first.sealed(Level.STORE)).isNotDone();
      goesOn.countDown();
      requireSealed(first, Level.STORE);
      requireSealed(ninth, Level.STORE);
    }
    requireResumes("e1-i8");
  }

  private static CheckpointTicket runSealingEach(
      Toy toy, Checkpointer checkpointer, long from, long to) throws Exception {
    for (long i = from; i < to - 1; i++) {
      CheckpointTicket ticket = toy.run(checkpointer, i, i + 1);
      requireSealed(ticket, Level.DEVICE);
      assertThat(ticket.sealed(Level.NODE).get())
          .isIn(new Outcome.Sealed(Level.NODE), new Outcome.NotDue(Level.NODE));
    }
    CheckpointTicket last = toy.run(checkpointer, to - 1, to);
    requireSealed(last, Level.NODE);
    return last;
  }

  private static void hang(boolean here, CountDownLatch hangs, CountDownLatch goesOn)
      throws IOException {
    if (here) {
      hangs.countDown();
      try {
        goesOn.await();
      } catch (InterruptedException e) {
        throw new IOException("interrupted", e);
      }
    }
  }

  private static List<String> directories(Path node) throws IOException {
    try (Stream<Path> files = Files.list(node.resolve("test/run"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("e0"))
          .sorted()
          .toList();
    }
  }
}
