package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A checkpoint that nobody may report as sealed, although its manifest was published. */
@Timeout(120)
class UnknownCommitTest {
  private static final GroupId GROUP = new GroupId("test", "run");

  @TempDir Path root;

  /** Another run takes the group at its first manifest; then so many looks at the epochs fail. */
  private Outcome commitThatLosesTheGroup(int failingLooks) throws Exception {
    LocalStore below = LocalStore.open(new Places(root).store(), Durability.PROCESS);
    AtomicInteger failing = new AtomicInteger();
    GatedStore store = new GatedStore(below);
    store.gate(
        (operation, path) -> {
          if (operation.equals("publish") && path.endsWith("/MANIFEST")) {
            new EpochFiles(below).take(GROUP, 0, "another run");
            failing.set(failingLooks);
          }
          if (operation.equals("list")
              && path.endsWith("/epochs")
              && failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IOException(path + ": connection refused");
          }
        });
    // nothing of the group is ever known to be at STORE, so its end has nothing to wait for
    try (CairnEngine cairn =
            CairnEngine.open(new Places(root).config("closeTimeout", "100ms"), store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      return toy.run(checkpointer, 0, 1).sealed(Level.STORE).join();
    }
  }

  @Test
  void isNotSealedWhileNobodyCanLookForALaterEpoch() throws Exception {
    assertThat(commitThatLosesTheGroup(Integer.MAX_VALUE))
        .isInstanceOf(Outcome.Failed.class)
        .asString()
        .contains("unknown");
  }

  @Test
  void isFencedOnceALookFindsTheLaterEpoch() throws Exception {
    assertThat(commitThatLosesTheGroup(2)).isInstanceOf(Outcome.Fenced.class);
  }

  /** The process sleeps between two looks, and another directory is STORE's meanwhile. */
  @Test
  void isNotSealedBelowAMountPoint() throws Exception {
    LocalStore below = LocalStore.open(new Places(root).store(), Durability.PROCESS);
    AtomicReference<String> published = new AtomicReference<>("");
    GatedStore store = new GatedStore(below);
    store.gate(
        (operation, path) -> {
          if (operation.equals("publish") && path.endsWith("/MANIFEST")) {
            published.set(path);
          } else if (!published.get().isEmpty() && operation.equals("list")) {
            boolean unused = below.delete(published.getAndSet(""));
          }
        });
    try (CairnEngine cairn =
            CairnEngine.open(new Places(root).config("closeTimeout", "100ms"), store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(toy.run(checkpointer, 0, 1).sealed(Level.STORE).join())
          .isInstanceOf(Outcome.Failed.class)
          .asString()
          .contains("another directory was in its place");
    }
  }
}
