package io.cairn.engine.runtime;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.OwnDirectories;
import io.cairn.engine.config.Setting;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Opens the memories that a process keeps checkpoints in, as its configuration says. No other class
 * of the engine names a kind of device: a further kind is a case of these two methods.
 */
final class Devices {
  private Devices() {}

  /**
   * The device of DEVICE, with room for the cache.
   *
   * @throws IOException if it cannot be opened; the message names its directory
   */
  static DeviceMemory open(CairnConfig config) throws IOException {
    Path directory = config.deviceDirectory();
    OwnDirectories.makeDefault(
        Setting.DEVICE_DIR, directory, OwnDirectories.sharedMemory("device"));
    return sharedMemory(config, config.cacheBytes());
  }

  /**
   * Memory of the host for chunks that fit neither the own device nor a peer's; null if the
   * configuration leaves no room for one.
   *
   * @throws IOException as {@link #open}
   */
  static @Nullable DeviceMemory openHost(CairnConfig config) throws IOException {
    long bytes = config.sharing().hostBytes();
    return bytes < config.chunkBytes() ? null : sharedMemory(config, bytes);
  }

  private static DeviceMemory sharedMemory(CairnConfig config, long bytes) throws IOException {
    return SharedMemoryDevice.open(
        config.deviceDirectory(), OwnDirectories.temporary("device"), bytes);
  }
}
