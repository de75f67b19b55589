package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.EmbeddedHdfs;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trainings whose checkpoints go to STORE in parts. Their state takes six chunks. */
@Timeout(120)
class PartedStoreTest {
  private static final GroupId GROUP = new GroupId("test", "run");
  private static final String SECOND = "writer-r00000-part1of2.chunks";

  @TempDir Path root;

  private Places places(String node) {
    return new Places(root.resolve(node));
  }

  private static List<String> containers(CheckpointStore store, long epoch, long iteration)
      throws IOException {
    return store.list(StoreNames.checkpoint(new CheckpointId(GROUP, epoch, iteration))).stream()
        .map(StoreEntry::name)
        .filter(StoreNames::isContainer)
        .sorted()
        .toList();
  }

  private static void train(CairnEngine cairn, long from, long to) throws IOException {
    try (Checkpointer checkpointer = cairn.join(GROUP.group())) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      long next = checkpointer.restore().map(r -> r.id().iteration() + 1).orElse(0L);
      assertThat(next).isEqualTo(from);
      assertThat(toy).isEqualTo(Toy.undisturbed(from));
      for (long i = from; i < to; i++) {
        assertThat(toy.run(checkpointer, i, i + 1).sealed(Level.STORE).join())
            .isEqualTo(new Outcome.Sealed(Level.STORE));
      }
    }
  }

  private CairnEngine open(String node, String store, int writers, int layers) throws IOException {
    return places(node)
        .open(
            "store",
            store,
            "node.every",
            "1",
            "store.every",
            "1",
            "store.codec",
            "zstd",
            "store.maxLayers",
            String.valueOf(layers),
            "store.writers",
            String.valueOf(writers));
  }

  /** Each process has a node of its own, so all that it restores comes from an HDFS. */
  @ParameterizedTest
  @CsvSource({"2, 9, 2", "5, 1, 0"})
  void areRestoredFromHdfsHoweverManyWritersFollow(int before, int after, int layers)
      throws IOException {
    String hdfs = EmbeddedHdfs.freshRoot().toString();
    try (CairnEngine cairn = open("first", hdfs, before, layers)) {
      train(cairn, 0, 3);
    }
    try (CheckpointStore store = CheckpointStores.openForReading(hdfs)) {
      assertThat(containers(store, 1, 2)).hasSize(before);
    }
    try (CairnEngine cairn = open("second", hdfs, after, layers)) {
      train(cairn, 3, 5);
    }
    try (CheckpointStore store = CheckpointStores.openForReading(hdfs)) {
      assertThat(containers(store, 2, 4)).hasSize(Math.min(after, 6));
    }
    try (CairnEngine cairn = open("third", hdfs, 1, 0);
        Checkpointer checkpointer = cairn.join(GROUP.group())) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();
      assertThat(report.level()).isEqualTo(Level.STORE);
      assertThat(toy).isEqualTo(Toy.undisturbed(5));
    }
  }

  private static CairnEngine open(CairnConfig config, CheckpointStore store, List<StepPlan> steps)
      throws IOException {
    return CairnEngine.open(config, store, Devices.open(config), steps);
  }

  private CairnConfig config(int writers) {
    return new Places(root)
        .config("node.every", "1", "store.every", "1", "store.writers", "" + writers);
  }

  private GatedStore store(CairnConfig config) throws IOException {
    return new GatedStore(CheckpointStores.open(config.store()));
  }

  /** Each part begins only when the others do, too. */
  @Test
  void theWritersOfARankWriteAtOnce() throws IOException {
    CairnConfig config = config(3);
    GatedStore store = store(config);
    CyclicBarrier all = new CyclicBarrier(3);
    store.gate(
        (operation, path) -> {
          if (operation.equals("create") && path.endsWith(".chunks")) {
            await(all);
          }
        });
    try (CairnEngine cairn = open(config, store, StepPlan.ALL)) {
      train(cairn, 0, 2);

      assertThat(containers(store, 1, 1))
          .containsExactly(
              "writer-r00000-part0of3.chunks",
              "writer-r00000-part1of3.chunks",
              "writer-r00000-part2of3.chunks");
    }
  }

  @Test
  void aFailedPartFailsTheCheckpointAndTheNextIsSealed() throws IOException {
    CairnConfig config = config(2);
    GatedStore store = store(config);
    store.gate(
        (operation, path) -> {
          if (operation.equals("write") && path.endsWith("i0000000001/" + SECOND)) {
            throw new IOException("the second pipeline broke");
          }
        });
    try (CairnEngine cairn = open(config, store, StepPlan.ALL);
        Checkpointer checkpointer = cairn.join(GROUP.group())) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      checkpointer.restore();

      toy.run(checkpointer, 0, 1).sealed(Level.STORE).join();
      Outcome second = toy.run(checkpointer, 1, 2).sealed(Level.STORE).join();
      List<String> left = containers(store, 1, 1);
      Outcome third = toy.run(checkpointer, 2, 3).sealed(Level.STORE).join();

      assertThat(second).isInstanceOf(Outcome.Failed.class);
      assertThat(second.toString()).contains("the second pipeline broke");
      assertThat(left).isEmpty();
      assertThat(third).isEqualTo(new Outcome.Sealed(Level.STORE));
    }
  }

  /** One thread reads what was captured. */
  @Test
  void withoutNodeThereIsOneContainer() throws IOException {
    CairnConfig config = config(3);
    GatedStore store = store(config);
    StepPlan failing =
        new StepPlan(
            Level.NODE,
            Level.DEVICE,
            levels -> {
              GatedLevel node = GatedLevel.node(levels);
              node.gate(
                  () -> {
                    throw new IOException("the disk is full");
                  });
              return node;
            });
    try (CairnEngine cairn = open(config, store, List.of(failing, StepPlan.ALL.get(1)))) {
      train(cairn, 0, 2);

      assertThat(containers(store, 1, 1)).containsExactly("writer-r00000.chunks");
    }
  }

  private static void await(CyclicBarrier barrier) throws IOException {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IOException(e);
    }
  }
}
