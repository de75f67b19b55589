package io.cairn.engine.runtime;

import com.sun.management.OperatingSystemMXBean;
import io.cairn.Level;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.cuda.Cuda;
import io.cairn.cache.memory.cuda.CudaDevice;
import io.cairn.cache.memory.cuda.CudaOptions;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.OpenParts;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.DeviceSettings;
import io.cairn.engine.config.OwnDirectories;
import io.cairn.engine.config.Setting;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the memories that a process keeps checkpoints in, as its configuration says. No other class
 * of the engine names a kind of device: a further kind is a case of these methods.
 */
final class Devices {
  /** Parts that a cache on a GPU gives up one by one. */
  private static final int SLABS = 8;

  /** The greatest such part of a cache that has no size of its own. */
  private static final long SLAB_BYTES = 64L << 20;

  /** Of a GPU that is taken unasked: other programs have the rest. */
  private static final long LEAST_SHARE_BYTES = 16L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Devices.class);

  private Devices() {}

  /**
   * The device of DEVICE, with room for the cache.
   *
   * @throws IOException if it cannot be opened; the message names its directory
   */
  static DeviceMemory open(CairnConfig config) throws IOException {
    Path directory = config.deviceDirectory();
    OwnDirectories.makeDefault(
        Setting.DIR.at(Level.DEVICE), directory, OwnDirectories.sharedMemory("device"));
    DeviceSettings device = config.device();
    if (device.kind() == DeviceSettings.Kind.AUTO) {
      return gpuOrSharedMemory(config);
    }
    return device.kind() == DeviceSettings.Kind.CUDA ? gpu(config) : sharedMemory(config);
  }

  private static DeviceMemory gpuOrSharedMemory(CairnConfig config) throws IOException {
    Optional<String> off = Cuda.whyOff(config.device().cudaLibrary());
    if (off.isPresent()) {
      LOG.info("DEVICE is shared memory, since CUDA is off: {}", off.get());
      return sharedMemory(config);
    }
    try {
      return gpuWithRoom(config);
    } catch (IOException e) {
      LOG.warn("DEVICE is shared memory: {}", e.getMessage());
      return sharedMemory(config);
    }
  }

  private static DeviceMemory gpuWithRoom(CairnConfig config) throws IOException {
    try (OpenParts open = new OpenParts()) {
      DeviceMemory gpu = open.add(gpu(config));
      gpu.requireShare(Math.max(LEAST_SHARE_BYTES, config.chunkBytes()));
      return open.keep(gpu);
    }
  }

  private static DeviceMemory gpu(CairnConfig config) throws IOException {
    DeviceSettings device = config.device();
    try {
      DeviceMemory opened = CudaDevice.open(options(config));
      LOG.info("DEVICE is {}", opened.describe());
      return opened;
    } catch (IOException e) {
      throw new IOException(
          "GPU "
              + device.gpu()
              + " cannot hold the device cache; set device.kind to shm, or mend this: "
              + e.getMessage(),
          e);
    }
  }

  private static CudaOptions options(CairnConfig config) {
    DeviceSettings device = config.device();
    String library = device.cudaLibrary();
    Path directory = config.deviceDirectory();
    OptionalLong fixed = config.cacheBytes();
    if (fixed.isEmpty()) {
      CudaOptions options =
          CudaOptions.onDemand(library, device.gpu(), directory).leaving(device.reserveBytes());
      return device.reserveBytes() == 0
          ? options
          : options.inSlabsOf(Math.max(1, SLAB_BYTES / config.chunkBytes()) * config.chunkBytes());
    }
    long slots = Math.max(1, fixed.getAsLong() / config.chunkBytes());
    CudaOptions options =
        CudaOptions.of(library, device.gpu(), slots * config.chunkBytes(), directory);
    return device.reserveBytes() == 0
        ? options
        : options.inSlabsOf(slabSlots(slots, config.chunkBytes()) * config.chunkBytes());
  }

  private static long slabSlots(long slots, int chunkBytes) {
    long most = Math.max(1, DeviceMemory.LARGEST_WINDOW_BYTES / chunkBytes);
    return Math.min(most, Math.max(1, (slots + SLABS - 1) / SLABS));
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

  /**
   * The cache in this memory. Without a configured size it has one chunk at first, and grows with
   * the protected regions.
   *
   * @param host as {@link #openHost} gave it
   * @throws IOException if either has no room for it, or the device does not tell its size
   */
  static ChunkCache cache(CairnConfig config, DeviceMemory memory, @Nullable DeviceMemory host)
      throws IOException {
    OptionalLong fixed = config.cacheBytes();
    long most = fixed.isPresent() ? fixed.getAsLong() : most(config, memory);
    return new ChunkCache(
        memory,
        fixed.orElse(config.chunkBytes()),
        most,
        host == null ? memory : host,
        host == null ? 0 : config.sharing().hostBytes(),
        config.chunkBytes());
  }

  private static long most(CairnConfig config, DeviceMemory memory) throws IOException {
    return config.mostCacheBytes(
        memory
            .onDemandBytes()
            .orElseThrow(
                () -> new IOException(memory.describe() + " cannot hold a growing cache")));
  }

  /** Of the machine, or of the container that this process is in. */
  private static long memoryBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  private static DeviceMemory sharedMemory(CairnConfig config) throws IOException {
    return config.cacheBytes().isPresent()
        ? sharedMemory(config, config.cacheBytes().getAsLong())
        : SharedMemoryDevice.onDemand(
            config.deviceDirectory(), OwnDirectories.temporary("device"), memoryBytes());
  }

  private static DeviceMemory sharedMemory(CairnConfig config, long bytes) throws IOException {
    return SharedMemoryDevice.open(
        config.deviceDirectory(), OwnDirectories.temporary("device"), bytes);
  }
}
