package io.cairn.engine.promotion;

import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory in which a node keeps the checkpoints of one STORE. Its name is the identity of
 * that store, so that copies of another store, or of this one before it was wiped, are not read:
 * their epochs are numbered independently. The identity is read once, when it is first needed. From
 * the first opening to {@link #close} this process {@linkplain UseLock uses} the directory.
 * Thread-safe.
 */
public final class NodeDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDirectory.class);

  private final Path configured;
  private final CheckpointStore store;
  private final boolean hasFiles;
  private volatile @Nullable String name;
  private @Nullable UseLock lock; // guarded by this

  /**
   * The directory for a store.
   *
   * @param configured the parent of all these directories, which may vanish at any time
   */
  public NodeDirectory(Path configured, CheckpointStore store) {
    this(configured, store, true);
  }

  private NodeDirectory(Path configured, CheckpointStore store, boolean hasFiles) {
    this.configured = configured;
    this.store = store;
    this.hasFiles = hasFiles;
  }

  /** The name alone of a simulated node, whose files lie in a store that the caller makes up. */
  public static NodeDirectory simulated(Path configured, CheckpointStore store) {
    return new NodeDirectory(configured, store, false);
  }

  /** Whether the node's files lie there; false in a simulation. */
  boolean hasFiles() {
    return hasFiles;
  }

  /**
   * The path itself.
   *
   * @throws IOException if the identity of the store is not known yet, and cannot be read
   */
  public Path path() throws IOException {
    return configured.resolve(identity());
  }

  /**
   * The identity of the store, which names the directory.
   *
   * @throws IOException if it is not known yet, and cannot be read
   */
  public String identity() throws IOException {
    String known = name;
    if (known == null) {
      known = StoreIdentity.of(store); // the same for concurrent callers
      name = known;
    }
    return known;
  }

  /** Opens the directory, and makes it if it is missing. */
  public CheckpointStore open() throws IOException {
    LocalStore.open(configured, Durability.PROCESS).close();
    CheckpointStore opened = LocalStore.open(path(), Durability.PROCESS);
    hold();
    return opened;
  }

  private synchronized void hold() throws IOException {
    UseLock before = lock;
    try {
      lock = UseLock.hold(path());
    } catch (IOException e) {
      LOG.warn("Another process of this node may take {} for unused, and delete it", path(), e);
      return;
    }
    if (before != null) {
      before.close();
    }
  }

  /** Ends the use of the directory, which stays. Idempotent. */
  @Override
  public synchronized void close() throws IOException {
    UseLock held = lock;
    lock = null;
    if (held != null) {
      held.close();
    }
  }
}
