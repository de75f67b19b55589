package io.cairn.engine.promotion;

import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Where a node keeps the checkpoints of one STORE: below the configured directory, under the name
 * that the store gave itself. Copies of another store, or of this one before it was wiped, have
 * epochs of their own and are not looked at.
 *
 * @param configured the directory of all stores, which may vanish at any time
 * @param storeName see {@link StoreIdentity}
 */
public record NodeDirectory(Path configured, String storeName) {
  /** The directory for this store. */
  public static NodeDirectory of(Path configured, CheckpointStore store) throws IOException {
    return new NodeDirectory(configured, StoreIdentity.of(store));
  }

  /** The path itself. */
  public Path path() {
    return configured.resolve(storeName);
  }

  /** Opens it, and makes it where it is missing. */
  public CheckpointStore open() throws IOException {
    LocalStore.open(configured, Durability.PROCESS).close();
    return LocalStore.open(path(), Durability.PROCESS);
  }
}
