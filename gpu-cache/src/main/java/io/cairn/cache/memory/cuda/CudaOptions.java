package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * How a {@link CudaDevice} is opened.
 *
 * @param library the driver's, by name or absolute path; all devices of a process share one
 * @param ordinal of the GPU, in the driver's order
 * @param capacityBytes of the GPU's memory, taken when the device is opened; 0 if each allocation
 *     takes its own memory when it is made
 * @param pinnedBytes length of each of four pinned staging buffers; a multiple of 8
 * @param patience how long the GPU may take to end its work before it counts as dead
 * @param directory for the file that shows other processes whether this one lives; made if missing
 * @param slabBytes length of each of the driver's allocations that the capacity consists of, and of
 *     the longest allocation here; a multiple of 8, or all of the capacity. Without a capacity the
 *     greatest length
 * @param reserveBytes that allocations on demand leave to other users of the GPU, 0 or more; they
 *     leave half of the rest, too
 */
public record CudaOptions(
    String library,
    int ordinal,
    long capacityBytes,
    int pinnedBytes,
    Duration patience,
    Path directory,
    long slabBytes,
    long reserveBytes) {
  /** The name by which NVIDIA's packages install the driver's library. */
  public static final String LIBRARY = "libcuda.so.1";

  private static final int PINNED_BYTES = 4 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Allocations that a device on demand makes at most; caches make few, and long ones. */
  private static final int MOST_ON_DEMAND = 4096;

  /** Checks the numbers. */
  public CudaOptions {
    if (ordinal < 0 || capacityBytes < 0 || pinnedBytes < 8 || pinnedBytes % 8 != 0) {
      throw new IllegalArgumentException(
          String.format(
                  Locale.ROOT,
                  "CUDA device %d with %d bytes, pinned buffers of %d bytes: 0 or more, 0 or more,"
                      + " and a",
                  ordinal,
                  capacityBytes,
                  pinnedBytes)
              + " multiple of 8");
    } else if (slabBytes < 1
        || (slabBytes % 8 != 0 && (capacityBytes == 0 || slabBytes < capacityBytes))) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "CUDA device in slabs of %d bytes: a multiple of 8, and at least 8",
              slabBytes));
    } else if (reserveBytes < 0) {
      throw new IllegalArgumentException("CUDA device that leaves " + reserveBytes + " bytes");
    } else if (patience.isNegative() || patience.isZero()) {
      throw new IllegalArgumentException("CUDA device: patience " + patience + " is not positive");
    }
  }

  /** All of the capacity as one allocation of the driver. */
  public CudaOptions(
      String library,
      int ordinal,
      long capacityBytes,
      int pinnedBytes,
      Duration patience,
      Path directory) {
    this(library, ordinal, capacityBytes, pinnedBytes, patience, directory, capacityBytes, 0);
  }

  /** The same with allocations of this length, which can be given up one by one. */
  public CudaOptions inSlabsOf(long bytes) {
    return new CudaOptions(
        library, ordinal, capacityBytes, pinnedBytes, patience, directory, bytes, reserveBytes);
  }

  /** The same, which leaves so many bytes to other users of the GPU. */
  public CudaOptions leaving(long bytes) {
    return new CudaOptions(
        library, ordinal, capacityBytes, pinnedBytes, patience, directory, slabBytes, bytes);
  }

  /** Whether the device takes no memory for checkpoints when it is opened. */
  boolean isOnDemand() {
    return capacityBytes == 0;
  }

  /** How many slabs there can be. */
  int slabs() {
    return isOnDemand()
        ? MOST_ON_DEMAND
        : Math.toIntExact((capacityBytes + slabBytes - 1) / slabBytes);
  }

  /** Pinned buffers of 4 MiB, and a patience of one minute. */
  public static CudaOptions of(String library, int ordinal, long capacityBytes, Path directory) {
    return new CudaOptions(library, ordinal, capacityBytes, PINNED_BYTES, PATIENCE, directory);
  }

  /** Likewise, for a device that takes memory for each allocation when it is made. */
  public static CudaOptions onDemand(String library, int ordinal, Path directory) {
    return new CudaOptions(
        library,
        ordinal,
        0,
        PINNED_BYTES,
        PATIENCE,
        directory,
        DeviceMemory.LARGEST_WINDOW_BYTES,
        0);
  }
}
