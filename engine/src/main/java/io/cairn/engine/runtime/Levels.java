package io.cairn.engine.runtime;

import io.cairn.Level;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.OwnDirectories;
import io.cairn.engine.config.Setting;
import io.cairn.engine.events.Observers;
import io.cairn.engine.nodes.Partners;
import io.cairn.engine.nodes.StagingServers;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.engine.promotion.NodeGroups;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.LateStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The places of one process's checkpoints: the cache in device memory, the node's directory, and
 * the store. Owns and closes all of them; moves nothing between them. Thread-safe, except {@link
 * #close()}, which must be the last call.
 */
final class Levels implements AutoCloseable {
  /** How long a process that starts waits for NODE and STORE; an executor must not seem dead. */
  static final Duration OPENING_WAIT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(Levels.class);

  private final CairnConfig config;
  private final DeviceMemory memory;
  private final @Nullable DeviceMemory host;
  private final ChunkCache cache;
  private final NodeDirectory home;
  private final LateStore node;
  private final NodeGroups groups;
  private final CheckpointStore store;
  private final Partners partners;
  private final StagingServers stagingServers;
  private final Observers observers = new Observers();

  private Levels(
      CairnConfig config,
      DeviceMemory memory,
      NodeDirectory home,
      LateStore node,
      CheckpointStore store)
      throws IOException {
    this.config = config;
    this.memory = memory;
    this.home = home;
    this.node = node;
    this.groups = new NodeGroups(node, store);
    this.store = store;
    this.partners = new Partners(config.peer(), System::nanoTime);
    this.stagingServers = new StagingServers(config.staging(), System::nanoTime);
    this.host = Devices.openHost(config);
    this.cache = openCache(config, memory, host);
  }

  /** The memory of the host is not the caller's, so nobody else would close it. */
  private static ChunkCache openCache(
      CairnConfig config, DeviceMemory memory, @Nullable DeviceMemory host) throws IOException {
    try {
      return Devices.cache(config, memory, host);
    } catch (IOException | RuntimeException | Error e) {
      if (host != null) {
        close("host memory", host);
      }
      throw e;
    }
  }

  /**
   * Takes over store and device, and opens the rest; if that fails, both stay the caller's.
   *
   * @throws IOException if a directory cannot be used, or a library of a codec is absent; the
   *     message names it
   */
  static Levels open(CairnConfig config, CheckpointStore store, DeviceMemory memory)
      throws IOException {
    Levels levels = openLate(config, store, memory);
    try {
      levels.node.requireOpen();
      return levels;
    } catch (IOException | RuntimeException | Error e) {
      levels.giveBack();
      throw e;
    }
  }

  /** Like {@link #open}, except that NODE is opened when it is first used and can be. */
  static Levels openLate(CairnConfig config, CheckpointStore store, DeviceMemory memory)
      throws IOException {
    config.codecs().requireLibraries();
    config.layers().requireLibrary();
    NodeDirectory home = new NodeDirectory(config.nodeDirectory(), store);
    LateStore node =
        new LateStore(
            "NODE " + config.nodeDirectory(),
            () -> openNode(config.nodeDirectory(), home),
            System::nanoTime);
    return new Levels(config, memory, home, node, store);
  }

  private static CheckpointStore openNode(Path directory, NodeDirectory home) throws IOException {
    Setting<Path> setting = Setting.DIR.at(LevelSpec.keptBy(LevelSpec.Keeper.MACHINE));
    OwnDirectories.makeDefault(setting, directory, OwnDirectories.sharedMemory("node"));
    CheckpointStore node;
    try {
      String unused = home.identity();
    } catch (IOException e) {
      throw new IOException(Setting.STORE.name() + ": " + e.getMessage(), e);
    }
    try {
      node = home.open();
    } catch (IOException e) {
      throw new IOException(setting.name() + " = " + directory + ": " + e.getMessage(), e);
    }
    OwnDirectories.require(setting, directory);
    return node;
  }

  /** Opens STORE and NODE now if they can be, waiting for at most a time; a failure is logged. */
  void tryOpen(LateStore late, Duration wait) {
    Thread opening =
        DaemonThreads.unstarted(
            "cairn-open",
            () -> {
              tryOpen(LevelSpec.committed(), late);
              tryOpen(LevelSpec.keptBy(LevelSpec.Keeper.MACHINE), node);
            });
    opening.start();
    try {
      opening.join(wait.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (opening.isAlive()) {
      LOG.warn(
          "STORE ({}) did not answer within {}; the process starts without it",
          late.describe(),
          wait);
    }
  }

  private static void tryOpen(Level level, LateStore store) {
    try {
      store.requireOpen();
    } catch (IOException e) {
      LOG.warn(
          "{} ({}) cannot be used yet; checkpoints fail there until it can",
          level,
          store.describe(),
          e);
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

  /** The root of {@link #node()}. */
  NodeDirectory home() {
    return home;
  }

  /** NODE. */
  LateStore node() {
    return node;
  }

  /** The groups at NODE. */
  NodeGroups groups() {
    return groups;
  }

  /** STORE. */
  CheckpointStore store() {
    return store;
  }

  /** The observers of all that happens to the checkpoints in these places. */
  Observers observers() {
    return observers;
  }

  /** The processes that keep the copies at PEER. */
  Partners partners() {
    return partners;
  }

  /** The executors that write to STORE for others. */
  StagingServers stagingServers() {
    return stagingServers;
  }

  /** Closes each place, even if another fails. Checkpoints at DEVICE are lost. */
  @Override
  public void close() {
    close("device cache", cache);
    close("device", memory);
    closeOwn();
    close("store", store);
  }

  /** Like {@link #close()}, but store and device stay the caller's, whose opening failed. */
  void giveBack() {
    close("device cache", cache);
    closeOwn();
  }

  /** Closes the places that this opened itself. */
  private void closeOwn() {
    if (host != null) {
      close("host memory", host);
    }
    close("node directory", node);
    close("lock of the node directory", home);
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
