package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.learning.config.Adam;

class SaverStoreTest {
  private static final int SAVES = 6;

  @TempDir Path directory;

  private SaverStore open() throws IOException {
    return SaverStore.open(
        directory.toFile(), true, Map.of("device.cacheSize", "1m", "chunkSize", "64k"));
  }

  private static Model read(SaverStore store, SaverStore.Saved saved) throws IOException {
    return store.read(saved.id()).model();
  }

  /** Saved networks are no training that has ended, whose checkpoints {@code gc} may delete. */
  @Test
  void noSaveIsTheEndOfATraining() throws IOException {
    try (SaverStore store = open()) {
      store.save(TrainedModel.of(TestNets.adam()), 0.5);
    }
    try (CheckpointStore store =
        CheckpointStores.openForReading(directory.resolve("store").toString())) {
      GroupId group = Inventory.groups(store, "cairn").get(0);
      assertThat(Inventory.list(store, group).everything()).isNotEmpty();
      assertThat(new GroupMemory(store).end(group)).isEmpty();
    }
  }

  /** Two megabytes of state. */
  private static MultiLayerNetwork network() {
    MultiLayerNetwork model = TestNets.dense(new Adam(0.02), 400);
    model.init();
    return model;
  }

  @Test
  void aNetworkLargerThanTheDeviceCacheIsSavedEveryTime() throws IOException {
    MultiLayerNetwork model = network();
    Object best;
    Object latest;
    try (SaverStore store = open()) {
      best = ModelDigest.of(model);
      for (int k = 0; k < SAVES; k++) {
        store.save(TrainedModel.of(model), 0.1 + k);
        assertThat(ModelDigest.of(read(store, store.latest().orElseThrow())))
            .isEqualTo(ModelDigest.of(model));
        model.params().muli(0.5);
      }
      assertThat(ModelDigest.of(read(store, store.best().orElseThrow()))).isEqualTo(best);
      latest = ModelDigest.of(read(store, store.latest().orElseThrow()));
    }
    try (SaverStore store = open()) {
      assertThat(ModelDigest.of(read(store, store.best().orElseThrow()))).isEqualTo(best);
      assertThat(ModelDigest.of(read(store, store.latest().orElseThrow()))).isEqualTo(latest);
    }
  }
}
