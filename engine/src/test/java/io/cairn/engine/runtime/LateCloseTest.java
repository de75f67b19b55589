package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An attempt that closes while the next one of its rank joins in the same process. */
@Timeout(60)
class LateCloseTest {
  private static final GroupId GROUP = new GroupId("test", "run");

  @TempDir Path root;

  private @Nullable Levels opened;

  private LevelWriter node(Levels levels) {
    opened = levels;
    return StepPlan.ALL.get(0).writer().apply(levels);
  }

  /** Without the birth in memory, each use of NODE would ask STORE, which may be down. */
  @Test
  void theNextAttemptKeepsTheBirthThatItHasLearned() throws Exception {
    Places places = new Places(root);
    GatedStore store = new GatedStore(CheckpointStores.open(places.store().toString()));
    CountDownLatch joining = new CountDownLatch(1);
    CountDownLatch mayJoin = new CountDownLatch(1);
    List<StepPlan> steps =
        List.of(new StepPlan(Level.NODE, Level.DEVICE, this::node), StepPlan.ALL.get(1));
    try (CairnEngine cairn =
        CairnEngine.open(places.config(), store, new DelayedDevice(1 << 20, 3), steps)) {
      Checkpointer earlier = cairn.join("run");
      Toy toy = new Toy();
      toy.protectBy(earlier);
      toy.run(earlier, 0, 1).sealed(Level.STORE).get();
      store.gate(
          (operation, path) -> {
            if (operation.equals("create") && path.contains("epochs/000002")) {
              joining.countDown();
              await(mayJoin);
            }
          });
      CompletableFuture<Checkpointer> next = CompletableFuture.supplyAsync(() -> cairn.join("run"));
      joining.await();

      earlier.close();

      mayJoin.countDown();
      try (Checkpointer later = next.get()) {
        assertThat(later.epoch()).isEqualTo(2);
        store.gate(
            (operation, path) -> {
              throw new IOException("the store is down");
            });
        assertThat(opened).isNotNull();
        assertThat(opened.groups().birth(GROUP)).isNotEmpty();
        store.gate(GatedStore.Gate.OPEN);
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
}
