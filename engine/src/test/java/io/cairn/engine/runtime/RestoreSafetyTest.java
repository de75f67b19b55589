package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes, outages and accidents around a restore: none of them may cost a checkpoint. */
@Timeout(60)
class RestoreSafetyTest {
  @TempDir Path root;

  private Places places() {
    return new Places(root);
  }

  /** Over a store of which some reads fail, as those of a store that is away do. */
  private CairnEngine openAway(Predicate<String> away, String... settings) throws IOException {
    GatedStore store = new GatedStore(LocalStore.open(places().store(), Durability.PROCESS));
    GatedStore.Gate gate =
        (operation, path) -> {
          if (away.test(path)) {
            throw new IOException(path + ": connection refused");
          }
        };
    store.gate(gate.forReads());
    return CairnEngine.open(places().config(settings), store);
  }

  private void runTo(long to) throws IOException {
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, checkpointer.restore().map(r -> r.id().iteration() + 1).orElse(0L), to);
    }
  }

  private List<String> atStore() throws IOException {
    try (Stream<Path> files = Files.list(places().store().resolve("test/run"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("e0"))
          .sorted()
          .toList();
    }
  }

  /** Cancels a rank that would wait for longer than the test wants to. */
  private static void cancelAfter(CairnEngine cairn, int calls) {
    AtomicInteger left = new AtomicInteger(calls);
    cairn.interruption(
        () -> {
          if (left.decrementAndGet() < 0) {
            throw new CancellationException("enough");
          }
        });
  }

  @Test
  void restoreWaitsForAStoreThatReturns() throws Exception {
    runTo(8);
    AtomicInteger failures = new AtomicInteger(2);
    Predicate<String> away = path -> path.endsWith("MANIFEST") && failures.getAndDecrement() > 0;
    try (CairnEngine cairn = openAway(away, "node.dir", root + "/other");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore().orElseThrow().id().label()).isEqualTo("e1-i7");
    }
  }

  /** NODE alone has the newest checkpoint. */
  @Test
  void aNodeThatFailsForAMomentIsAskedAgain() throws Exception {
    runTo(8);
    Path newest = places().store().resolve("test/run/e000001-i0000000007");
    Files.delete(newest.resolve("MANIFEST"));
    AtomicInteger failures = new AtomicInteger(1);
    GatedLevel.Gate gate =
        () -> {
          if (failures.getAndDecrement() > 0) {
            throw new IOException("too many open files");
          }
        };
    try (CairnEngine cairn = openGated(gate);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);

      RestoreReport report = checkpointer.restore().orElseThrow();

      assertThat(report.level()).isEqualTo(Level.NODE);
      assertThat(report.id().label()).isEqualTo("e1-i7");
    }
  }

  /** With a gate before each listing of NODE. */
  private CairnEngine openGated(GatedLevel.Gate gate) throws IOException {
    StepPlan node =
        new StepPlan(
            Level.NODE,
            Level.DEVICE,
            levels -> {
              GatedLevel gated = GatedLevel.node(levels);
              gated.listings(gate);
              return gated;
            });
    CairnConfig config = places().config();
    return CairnEngine.open(
        config,
        CheckpointStores.open(config.store()),
        Devices.open(config),
        List.of(node, StepPlan.ALL.get(1)));
  }

  @Test
  void joinWaitsForAStoreThatReturns() throws Exception {
    runTo(8);
    AtomicInteger failures = new AtomicInteger(3);
    Predicate<String> away = path -> path.endsWith("epochs") && failures.getAndDecrement() > 0;

    try (CairnEngine cairn = openAway(away);
        Checkpointer checkpointer = cairn.join("run")) {
      assertThat(failures).hasNegativeValue();
      assertThat(checkpointer.epoch()).isEqualTo(2);
    }
  }

  @Test
  void joinFailsByNameWhenItsPatienceIsOver() throws Exception {
    runTo(8);

    try (CairnEngine cairn = openAway(path -> path.endsWith("epochs"), "store.patience", "1s")) {
      assertThatThrownBy(() -> cairn.join("run"))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("store.patience (1 s)")
          .hasMessageContaining("connection refused");
    }
  }

  @Test
  void restoreFailsWhileTheStoreIsUnreachable() throws Exception {
    runTo(8);
    Path epoch = places().store().resolve("test/run/epochs/000002");
    Predicate<String> away = path -> path.equals("test/run") || path.endsWith("MANIFEST");
    try (CairnEngine cairn =
            openAway(path -> Files.exists(epoch) && away.test(path), "store.patience", "2s");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThatThrownBy(checkpointer::restore)
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("STORE")
          .hasMessageContaining("connection refused");
      assertThat(toy).isEqualTo(new Toy());
    }
    assertThat(atStore()).contains("e000001-i0000000004");
  }

  /** The coordinator has surveyed it, so no newer checkpoint is unknown. */
  @Test
  void aStoreThatGoesAwayAfterTheJoinDoesNotHoldBackANearerCopy() throws Exception {
    runTo(8);
    AtomicBoolean isAway = new AtomicBoolean();
    try (CairnEngine cairn = openAway(path -> isAway.get(), "store.patience", "2s");
        Checkpointer checkpointer = cairn.join("run")) {
      isAway.set(true);
      Toy toy = new Toy();
      toy.protectBy(checkpointer);

      RestoreReport report = checkpointer.restore().orElseThrow();

      assertThat(report.id().label()).isEqualTo("e1-i7");
      assertThat(report.level()).isEqualTo(Level.NODE);
      isAway.set(false);
    }
  }

  @Test
  void restoreFailsWhileTheNewestManifestCannotBeReadIfTheSettingSaysSo() throws Exception {
    runTo(8);
    Predicate<String> away = path -> path.endsWith("i0000000007/MANIFEST");
    try (CairnEngine cairn =
            openAway(
                away,
                "node.dir",
                root + "/other",
                "store.patience",
                "2s",
                "store.unreadable",
                "refuse");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThatThrownBy(checkpointer::restore)
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("e1-i7")
          .hasMessageContaining("connection refused");
      assertThat(toy).isEqualTo(new Toy());
    }
  }

  /** No restart would ever succeed, since a lost block stays lost. */
  @Test
  void aManifestThatStaysUnreadableIsPassedOver() throws Exception {
    runTo(8);
    Predicate<String> away = path -> path.endsWith("i0000000007/MANIFEST");
    try (CairnEngine cairn = openAway(away, "node.dir", root + "/other", "store.patience", "2s");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);

      RestoreReport report = checkpointer.restore().orElseThrow();

      assertThat(report.id().label()).isEqualTo("e1-i4");
      assertThat(report.attempts())
          .anySatisfy(attempt -> assertThat(attempt.toString()).contains("e1-i7", "refused"));
      assertThat(toy).isEqualTo(Toy.undisturbed(5));
    }
  }

  @Test
  void manifestsThatCannotBeReadDoNotHoldBackANewerCopy() throws Exception {
    runTo(8);
    try (CairnEngine cairn = openAway(path -> path.endsWith("MANIFEST"));
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);

      RestoreReport report = checkpointer.restore().orElseThrow();

      assertThat(report.id().label()).isEqualTo("e1-i7");
      assertThat(report.level()).isEqualTo(Level.NODE);
      assertThat(toy).isEqualTo(Toy.undisturbed(8));
    }
  }

  @Test
  void afterAFailedRestoreOnlyAnotherRestoreHelps() throws Exception {
    runTo(5);
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      checkpointer.protect(Region.of("weights", new float[4000]));
      checkpointer.protect(Region.of("counter", () -> new byte[8], bytes -> {}));
      assertThatThrownBy(checkpointer::restore).hasMessageContaining("weights");
      CheckpointTicket ticket = checkpointer.checkpoint(0);
      assertThat(ticket.captured().get()).isInstanceOf(Outcome.Failed.class);
      assertThat(ticket.sealed(Level.STORE).get()).isInstanceOf(Outcome.Failed.class);
      assertThat(cairn.counts())
          .as("nobody looks at each ticket")
          .containsEntry("store.failed", 1L);
      assertThatThrownBy(checkpointer::restore).hasMessageContaining("weights");
      assertThat(checkpointer.epoch()).isGreaterThan(2);
    }
  }

  /** The cache has room for one checkpoint; what is pinned for good would be all of it. */
  @Test
  void aShapeThatDoesNotFitLeaksNoPin() throws Exception {
    try (CairnEngine cairn = places().open("device.cacheSize", "40k")) {
      runOnce(cairn, "run");
      try (Checkpointer other = cairn.join("run")) {
        other.protect(Region.of("weights", new float[4000]));
        other.protect(Region.of("counter", () -> new byte[8], bytes -> {}));
        assertThatThrownBy(other::restore).hasMessageContaining("weights");
      }
      runOnce(cairn, "another");
    }
  }

  private static void runOnce(CairnEngine cairn, String group) throws Exception {
    try (Checkpointer checkpointer = cairn.join(group)) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(toy.run(checkpointer, 0, 1).sealed(Level.STORE).get())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
    }
  }

  @Test
  void aRequestForNoExistingCheckpointChangesNothing() throws Exception {
    runTo(8);
    GroupId group = new GroupId("test", "run");
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore(new CheckpointId(group, 9, 9))).isEmpty();
      assertThat(checkpointer.restore()).isPresent();
      toy.run(checkpointer, 8, 10);
      long epoch = checkpointer.epoch();
      assertThat(checkpointer.restore(new CheckpointId(group, 9, 9))).isEmpty();
      assertThat(checkpointer.restoreBefore(0)).isEmpty();
      assertThat(checkpointer.epoch()).isEqualTo(epoch);
      toy.run(checkpointer, 10, 13);
      assertThat(toy).isEqualTo(Toy.undisturbed(13));
    }
    Toy toy = new Toy();
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore().map(RestoreReport::id).orElseThrow().iteration())
          .isEqualTo(12);
    }
  }

  @Test
  void aStartWithoutRestoreDeletesNothingAtOnce() throws Exception {
    runTo(9);
    assertThat(atStore()).containsExactly("e000001-i0000000004", "e000001-i0000000008");
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(toy.run(checkpointer, 0, 1).sealed(Level.STORE).get())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
    }
    assertThat(atStore())
        .containsExactly("e000001-i0000000004", "e000001-i0000000008", "e000002-i0000000000");
  }

  @Test
  void copiesOfAnotherStoreAreRefusedAndNotRead() throws Exception {
    runTo(8);
    Files.move(places().store(), root.resolve("the store that was"));
    try (CheckpointStore another = LocalStore.open(places().store(), Durability.PROCESS)) {
      String unused = StoreIdentity.of(another);
    }
    assertThatThrownBy(() -> places().open()).hasMessageContaining("delete these copies");
    Files.move(places().node(), root.resolve("the node that was"));
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore()).isEmpty();
      assertThat(toy.run(checkpointer, 0, 3).sealed(Level.NODE).get())
          .isEqualTo(new Outcome.Sealed(Level.NODE));
    }
  }

  @Test
  void aRollbackThatCannotBeginANewEpochLeavesNothingOpen() throws Exception {
    AtomicInteger away = new AtomicInteger();
    Predicate<String> gone = path -> away.get() > 0 && path.endsWith("epochs");
    try (CairnEngine cairn = openAway(gone, "store.patience", "2s")) {
      Checkpointer checkpointer = cairn.join("run");
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 5);
      away.set(1);
      assertThatThrownBy(checkpointer::restore).isInstanceOf(RestoreException.class);
      CheckpointTicket ticket = toy.run(checkpointer, 5, 6);
      assertThat(ticket.sealed(Level.DEVICE).get()).isInstanceOf(Outcome.Fenced.class);
      away.set(0);
      assertThat(checkpointer.restore()).isPresent();
      cancelAfter(cairn, 1000);
      checkpointer.close();
    }
  }
}
