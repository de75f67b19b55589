package io.cairn.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreOfTheDriverTest {
  @TempDir Path root;

  private CheckpointStore open(String directory, String identity) throws IOException {
    CairnConfig config = CairnConfig.of(Map.of("store", root.resolve(directory).toString()));
    return ExecutorParts.openStore(config, Optional.of(identity), new Configuration(false));
  }

  /** As below a missing mount: nobody would find the executor's checkpoints. */
  @Test
  void anExecutorWritesToNoStoreButTheDrivers() throws IOException {
    String identity;
    try (CheckpointStore driver = CheckpointStores.open(root.resolve("store").toString())) {
      identity = StoreIdentity.of(driver);
    }

    try (CheckpointStore same = open("store", identity)) {
      assertThat(same.describe()).endsWith("store");
    }
    assertThatThrownBy(() -> open("unmounted", identity))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(root.resolve("unmounted").toString())
        .hasMessageContaining("not the store of the coordinator");
  }
}
