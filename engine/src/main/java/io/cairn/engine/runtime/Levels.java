package io.cairn.engine.runtime;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.Level;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.OwnDirectories;
import io.cairn.engine.config.Setting;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.engine.session.DeviceCopies;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where one process's checkpoints are: the cache in device memory, the node's directory, and the
 * store. Owns and closes all of them. Moves nothing between them: that is the promotion's, and the
 * restores'. Thread-safe, but for {@link #close()}, which comes last.
 */
final class Levels implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Levels.class);

  private final DeviceMemory memory;
  private final @Nullable DeviceMemory host;
  private final ChunkCache cache;
  private final NodeDirectory home;
  private final CheckpointStore node;
  private final CheckpointStore store;

  private Levels(
      CairnConfig config,
      DeviceMemory memory,
      NodeDirectory home,
      CheckpointStore node,
      CheckpointStore store)
      throws IOException {
    this.memory = memory;
    this.home = home;
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
   * Takes store and device over, and opens what is missing; if that fails, they stay the caller's.
   *
   * @throws IOException if a directory cannot be used; the message names it
   */
  static Levels open(CairnConfig config, CheckpointStore store, DeviceMemory memory)
      throws IOException {
    Path directory = config.nodeDirectory();
    OwnDirectories.makeDefault(Setting.NODE_DIR, directory, OwnDirectories.sharedMemory("node"));
    NodeDirectory home = NodeDirectory.of(directory, store);
    CheckpointStore node = home.open();
    OwnDirectories.require(Setting.NODE_DIR, directory);
    return new Levels(config, memory, home, node, store);
  }

  /** The device's memory. */
  DeviceMemory memory() {
    return memory;
  }

  /** DEVICE. */
  ChunkCache cache() {
    return cache;
  }

  /** The root of {@link #node()}. */
  NodeDirectory home() {
    return home;
  }

  /** NODE. */
  CheckpointStore node() {
    return node;
  }

  /** STORE. */
  CheckpointStore store() {
    return store;
  }

  /** A planner for one restore, of the nearest copies first. */
  RestorePlanner planner() {
    return new RestorePlanner(
        List.of(
            new DeviceCopies(cache),
            new StoreCopies(node, Level.NODE),
            new StoreCopies(store, Level.STORE)));
  }

  /** Closes each, whatever comes of the others. Checkpoints at DEVICE go, the others stay. */
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

  /** Closes a part of the process; that it was not in order is logged, so that the rest follows. */
  static void close(String what, AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      LOG.warn("The {} was not closed in order: {}", what, e.toString());
    }
  }
}
