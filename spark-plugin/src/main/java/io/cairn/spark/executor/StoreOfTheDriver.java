package io.cairn.spark.executor;

import io.cairn.core.model.OpenParts;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.StoreOpening;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Opens the store that the driver has probed, in an executor. Stateless. */
final class StoreOfTheDriver {
  private StoreOfTheDriver() {}

  /**
   * The store, if it is the driver's: below a missing mount, or in a directory of this machine's
   * own, nobody would find anything. NODE keeps a directory under the name of each store that this
   * machine has used. Such a store is away for the moment; another one was never here.
   *
   * @param identity the name of the driver's store
   * @throws io.cairn.flush.store.StoreRefusedException if each later try would fail, too
   * @throws IOException if the store cannot be used now
   */
  static CheckpointStore open(CairnConfig config, Optional<String> identity, Configuration hadoop)
      throws IOException {
    boolean wasHere =
        identity.isPresent() && Files.isDirectory(config.nodeDirectory().resolve(identity.get()));
    Optional<Path> root = CheckpointStores.localRoot(config.store());
    if (root.isPresent() && identity.isPresent() && Files.notExists(root.get())) {
      throw StoreIdentity.elsewhere(root.get().toString(), "a missing directory", wasHere);
    }
    StoreOpening opening =
        new StoreOpening(
            config.store(),
            () -> CheckpointStores.openProbed(config.store(), hadoop, config.storeHadoop()),
            () -> CheckpointStores.openUnprobed(config.store(), hadoop, config.storeHadoop()),
            Duration.ZERO);
    try (OpenParts open = new OpenParts()) {
      CheckpointStore store = open.add(opening.now());
      if (identity.isPresent()) {
        StoreIdentity.require(store, identity.get(), wasHere);
      }
      return open.keep(store);
    }
  }
}
