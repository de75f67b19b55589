package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.model.Level;
import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.RestoreReport;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import io.cairn.flush.store.StoreBlocks;
import io.cairn.flush.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** STORE is full, read-only or out of reach when a process starts. */
@Timeout(60)
class StoreOpeningTest {
  @TempDir Path root;

  private int tries;

  private static StoreUnavailableException unavailable() {
    return new StoreUnavailableException("it is read-only", new IOException("as the kernel says"));
  }

  /** Time stands still. */
  private static final class NoSleep implements Waits {
    @Override
    public void sleep(long millis) {}

    @Override
    public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) {
      return null;
    }

    @Override
    public boolean await(CompletableFuture<?> awaited, long nanos) {
      return false;
    }
  }

  private CheckpointStore local() throws IOException {
    return LocalStore.open(root.resolve("store"), Durability.PROCESS);
  }

  private StoreOpening opening(int failures, boolean exists, Duration patience) {
    return new StoreOpening(
        "played",
        () -> {
          if (tries++ < failures) {
            throw unavailable();
          }
          return local();
        },
        () -> {
          if (!exists) {
            throw new IOException("connection refused");
          }
          return CheckpointStores.openUnprobed(
              root.resolve("store").toString(), StoreBlocks.DEFAULT);
        },
        patience);
  }

  @Test
  void aStoreThatIsOutOfReachForAMomentIsWaitedFor() throws IOException {
    opening(3, false, Duration.ofMinutes(1)).open(new NoSleep(), () -> 0).close();

    assertThat(tries).isEqualTo(4);
  }

  @Test
  void afterThePatienceTheReasonIsTold() {
    assertThatThrownBy(() -> opening(9, false, Duration.ZERO).open(new NoSleep(), () -> 0))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("it is read-only");
    assertThat(tries).isOne();
  }

  @Test
  void aStoreThatWasUsedServesWhatItHasAlthoughItCannotBeWritten() throws IOException {
    try (CheckpointStore store = local()) {
      String name = StoreIdentity.of(store);
      try (CheckpointStore opened = opening(9, true, Duration.ZERO).open(new NoSleep(), () -> 0)) {
        assertThat(StoreIdentity.read(opened)).isEqualTo(name);
      }
    }
  }

  /** Nobody has probed it, and it has nothing to serve. */
  @Test
  void aStoreThatWasNeverUsedIsWaitedFor() throws IOException {
    local().close();

    assertThatThrownBy(() -> opening(9, true, Duration.ZERO).open(new NoSleep(), () -> 0))
        .isInstanceOf(StoreUnavailableException.class);
  }

  /** As on a full disk: names can be made, and hold nothing. */
  @Test
  void aTrainingResumesFromAFullStoreAndGoesOn() throws Exception {
    Places places = new Places(root);
    try (Cairn cairn = places.open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 5).sealed(Level.STORE).join();
    }
    GatedStore store = new GatedStore(local());
    store.gate(
        (operation, path) -> {
          if (operation.equals("write")) {
            throw new IOException("No space left on device");
          }
        });
    String[] settings = {
      "node.dir", root + "/other", "closeTimeout", "2s", "node.every", "1", "store.every", "1"
    };
    try (Cairn cairn = Cairn.open(places.config(settings), store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();

      assertThat(report.id().label()).isEqualTo("e1-i4");
      var full = toy.run(checkpointer, 5, 7);
      assertThat(full.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
      assertThat(full.sealed(Level.STORE).join())
          .isInstanceOf(Outcome.Failed.class)
          .asString()
          .contains("No space left");

      store.gate(GatedStore.Gate.OPEN);
      assertThat(toy.run(checkpointer, 7, 8).sealed(Level.STORE).join())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
    }
  }
}
