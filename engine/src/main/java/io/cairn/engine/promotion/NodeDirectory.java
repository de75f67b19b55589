package io.cairn.engine.promotion;

import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The directory in which a node keeps the checkpoints of one STORE. Its name is the identity of
 * that store, so that copies of another store, or of this one before it was wiped, are not read:
 * their epochs are numbered independently.
 *
 * @param configured the parent of all these directories, which may vanish at any time
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

  /** Opens the directory, and makes it if it is missing. */
  public CheckpointStore open() throws IOException {
    LocalStore.open(configured, Durability.PROCESS).close();
    return LocalStore.open(path(), Durability.PROCESS);
  }
}
