package io.cairn.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.StoreRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreOfTheDriverTest {
  @TempDir Path root;

  private Path node() {
    return root.resolve("node");
  }

  private CheckpointStore open(String directory, String identity) throws IOException {
    CairnConfig config =
        CairnConfig.of(
            Map.of("store", root.resolve(directory).toString(), "node.dir", node().toString()));
    return StoreOfTheDriver.open(config, Optional.of(identity), new Configuration(false));
  }

  private String ofTheDriver() throws IOException {
    try (CheckpointStore driver = CheckpointStores.open(root.resolve("store").toString())) {
      return StoreIdentity.of(driver);
    }
  }

  @Test
  void anExecutorOpensTheStoreOfTheDriver() throws IOException {
    try (CheckpointStore same = open("store", ofTheDriver())) {
      assertThat(same.describe()).endsWith("store");
    }
  }

  /** A local path means another directory on each machine; a task would wait for it in vain. */
  @ParameterizedTest
  @ValueSource(strings = {"missing", "empty", "another"})
  void aDirectoryOfAnotherMachineIsRefusedForGood(String directory) throws IOException {
    String identity = ofTheDriver();
    Files.createDirectory(root.resolve("empty"));
    try (CheckpointStore another = CheckpointStores.open(root.resolve("another").toString())) {
      assertThat(StoreIdentity.of(another)).isNotEqualTo(identity);
    }

    assertThatThrownBy(() -> open(directory, identity))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining(root.resolve(directory).toString())
        .hasMessageContaining("not the store of the coordinator")
        .hasMessageContaining("mount the same directory on every machine");
    assertThat(root.resolve("missing")).doesNotExist();
  }

  /** NODE names the stores that this machine has used. */
  @ParameterizedTest
  @ValueSource(strings = {"missing", "empty"})
  void aStoreThatWasHereIsAwayForTheMoment(String directory) throws IOException {
    String identity = ofTheDriver();
    Files.createDirectory(root.resolve("empty"));
    Files.createDirectories(node().resolve(identity));

    assertThatThrownBy(() -> open(directory, identity))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("mount its file system again")
        .satisfies(away -> assertThat(StoreRefusedException.isIn(away)).isFalse());
    assertThat(root.resolve("missing")).doesNotExist();
  }
}
