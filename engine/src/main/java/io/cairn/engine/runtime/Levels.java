package io.cairn.engine.runtime;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.OwnDirectories;
import io.cairn.engine.config.Setting;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The places of one process's checkpoints: the cache in device memory, the node's directory, and
 * the store. Owns and closes all of them; moves nothing between them. Thread-safe, except {@link
 * #close()}, which must be the last call.
 */
final class Levels implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Levels.class);

  private final CairnConfig config;
  private final DeviceMemory memory;
  private final @Nullable DeviceMemory host;
  private final ChunkCache cache;
  private final NodeDirectory node;
  private final CheckpointStore store;

  private Levels(CairnConfig config, DeviceMemory memory, NodeDirectory node, CheckpointStore store)
      throws IOException {
    this.config = config;
    this.memory = memory;
    this.node = node;
    this.store = store;
    this.host = Devices.openHost(config);
    this.cache =
        new ChunkCache(
            memory,
            config.cacheBytes(),
            host == null ? memory : host,
            host == null ? 0 : config.sharing().hostBytes(),
            config.chunkBytes());
  }

  /**
   * Takes over store and device, and opens the rest; if that fails, both stay the caller's.
   *
   * @throws IOException if a directory cannot be used; the message names it
   */
  static Levels open(CairnConfig config, CheckpointStore store, DeviceMemory memory)
      throws IOException {
    Path directory = config.nodeDirectory();
    OwnDirectories.makeDefault(Setting.NODE_DIR, directory, OwnDirectories.sharedMemory("node"));
    NodeDirectory node = openNode(directory, store);
    OwnDirectories.require(Setting.NODE_DIR, directory);
    return new Levels(config, memory, node, store);
  }

  private static NodeDirectory openNode(Path directory, CheckpointStore store) throws IOException {
    String identity = StoreIdentity.of(store);
    try {
      return NodeDirectory.open(directory, identity, store);
    } catch (IOException e) {
      throw new IOException(Setting.NODE_DIR.name() + " = " + directory + ": " + e.getMessage(), e);
    }
  }

  /** The configuration of this process. */
  CairnConfig config() {
    return config;
  }

  /** The device's memory. */
  DeviceMemory memory() {
    return memory;
  }

  /** DEVICE. */
  ChunkCache cache() {
    return cache;
  }

  /** NODE. */
  NodeDirectory node() {
    return node;
  }

  /** STORE. */
  CheckpointStore store() {
    return store;
  }

  /** Closes each place, even if another fails. Checkpoints at DEVICE are lost. */
  @Override
  public void close() {
    close("device cache", cache);
    close("device", memory);
    if (host != null) {
      close("host memory", host);
    }
    close("node directory", node);
    close("store", store);
  }

  /** Closes a part of the process; logs a failure, so that the other parts are closed, too. */
  static void close(String what, AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      LOG.warn("The {} could not be closed", what, e);
    }
  }
}
