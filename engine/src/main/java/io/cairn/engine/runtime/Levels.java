package io.cairn.engine.runtime;

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
  private final Environment environment;
  private final @Nullable DeviceMemory host;
  private final ChunkCache cache;
  private final LateStore node;
  private final NodeGroups groups;
  private final Partners partners;
  private final StagingServers stagingServers;
  private final Observers observers = new Observers();

  private Levels(CairnConfig config, Environment environment) throws IOException {
    this.config = config;
    this.environment = environment;
    this.node =
        new LateStore("NODE " + config.nodeDirectory(), environment.node(), environment.nanoTime());
    this.groups = new NodeGroups(node, environment.store());
    this.partners = new Partners(config.peer(), environment.nanoTime());
    this.stagingServers = new StagingServers(config.staging(), environment.nanoTime());
    this.host = Devices.openHost(config);
    this.cache = openCache(config, environment.memory(), host);
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
  static Levels open(CairnConfig config, Environment environment) throws IOException {
    Levels levels = openLate(config, environment);
    try {
      levels.node.requireOpen();
      return levels;
    } catch (IOException | RuntimeException | Error e) {
      levels.giveBack();
      throw e;
    }
  }

  /** Like {@link #open}, except that NODE is opened when it is first used and can be. */
  static Levels openLate(CairnConfig config, Environment environment) throws IOException {
    config.codecs().requireLibraries();
    config.layers().requireLibrary();
    return new Levels(config, environment);
  }

  /** Opens NODE in a directory, which it makes if the configuration names none. */
  static CheckpointStore openNode(Path directory, NodeDirectory home) throws IOException {
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
              tryOpen(late);
              tryOpen(node);
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

  private static void tryOpen(LateStore store) {
    try {
      store.requireOpen();
    } catch (IOException e) {
      LOG.warn("{} cannot be used yet; checkpoints fail there until it can", store.describe(), e);
    }
  }

  /** The configuration of this process. */
  CairnConfig config() {
    return config;
  }

  /** The parts of this process that come from outside. */
  Environment environment() {
    return environment;
  }

  /** The device's memory. */
  DeviceMemory memory() {
    return environment.memory();
  }

  /** DEVICE. */
  ChunkCache cache() {
    return cache;
  }

  /** The root of {@link #node()}. */
  NodeDirectory home() {
    return environment.home();
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
    return environment.store();
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
    close("device", memory());
    closeOwn();
    close("store", store());
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
    close("lock of the node directory", home());
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
