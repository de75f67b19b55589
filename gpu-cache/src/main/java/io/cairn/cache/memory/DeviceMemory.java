package io.cairn.cache.memory;

import io.cairn.DeviceName;
import io.cairn.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Memory of a device that holds checkpoints. Its addresses are opaque: copies move bytes in and
 * out, and only a {@link CopyEvent} shows that a copy has landed. A device whose memory the host
 * maps also lends its own bytes {@linkplain #inPlace in place}. The package's documentation has the
 * ownership rules.
 *
 * <p>Thread-safe. Every method but {@link #close} throws {@link IllegalStateException} after {@link
 * #close}, and {@link IllegalArgumentException} for an address that is not of this device or lies
 * outside of it.
 */
public interface DeviceMemory extends CopyEngine, AutoCloseable {
  /** The host maps no more at once. */
  long LARGEST_WINDOW_BYTES = 1 << 30;

  /**
   * Reserves memory. Real pages back it when this returns, so that no later copy runs out of space
   * or pays for a first touch.
   *
   * @param bytes at least 1
   * @return an address aligned to 8 bytes at least; its content is undefined
   * @throws IOException naming the device, the requested and the free bytes, if there is no room
   */
  DeviceAddress allocate(long bytes) throws IOException;

  /**
   * Frees an allocation.
   *
   * @param address exactly as {@link #allocate} returned it
   * @throws IllegalArgumentException if it is not allocated
   */
  void free(DeviceAddress address);

  /** The most bytes that one allocation can have. */
  default long largestAllocation() {
    return LARGEST_WINDOW_BYTES;
  }

  /**
   * All memory that there is, used or not, if an allocation takes its part of it when it is made.
   * Empty by default: the device has taken all of its memory when it is opened.
   *
   * @throws IOException naming the device and the cause, if it does not tell
   */
  default OptionalLong onDemandBytes() throws IOException {
    return OptionalLong.empty();
  }

  /**
   * The bytes that allocations may take together now, so that other users of the device keep as
   * many, and what is reserved for them. Empty by default: nobody else allocates there.
   *
   * @throws IOException naming the device and the cause, if it does not tell
   */
  default OptionalLong bytesToShare() throws IOException {
    return OptionalLong.empty();
  }

  /**
   * Checks that allocations of so many bytes leave enough to others.
   *
   * @throws IOException if they exceed {@link #bytesToShare}, or that is unknown
   */
  default void requireShare(long bytes) throws IOException {
    OptionalLong share = bytesToShare();
    if (share.isPresent() && share.getAsLong() < bytes) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: %d bytes for the cache exceed %d, half of what is free beyond device.reserve",
              describe(),
              bytes,
              share.getAsLong()));
    }
  }

  /**
   * Bytes that other users of the device, such as the training, could allocate there now, and those
   * that were given up and are on their way. Asks the device's driver. An allocation that goes at
   * this moment may count twice.
   *
   * @return empty if nobody else allocates there, as by default
   * @throws IOException naming the device and the cause, if it does not tell
   */
  default OptionalLong bytesForOthers() throws IOException {
    return OptionalLong.empty();
  }

  /**
   * Frees an allocation, and leaves its memory to other users of the device if the device can. The
   * memory goes when nobody has it open any more, behind the caller; it is not allocated here
   * again. As {@link #free} by default.
   *
   * @param address exactly as {@link #allocate} returned it
   * @throws IllegalArgumentException if it is not allocated
   */
  default void giveUp(DeviceAddress address) {
    free(address);
  }

  /**
   * Whether the device reported a lasting error, or did not answer in time. Its copies may be under
   * way for good then, so nobody else gets its memory. Never by default.
   */
  default boolean isDead() {
    return false;
  }

  /**
   * Where captures copy from, and restores copy to, for a region that this device protects. Reads
   * none of the memory. By default the device reaches host memory alone.
   *
   * @throws IllegalArgumentException naming the region, this device and the remedy, if the memory
   *     cannot be captured or this device does not reach it
   */
  default CaptureSource locate(Region.Span region) {
    return CaptureSource.of(region).requireHost(this);
  }

  /** Whether it copies from and to the memory of this device; by default of none. */
  default boolean reaches(DeviceName device) {
    return false;
  }

  /**
   * Starts a copy of {@code source}, from its position to its limit, to memory of the application
   * on a device; leaves both as they are. May complete before it returns.
   *
   * @param target as {@link #locate} gave it
   * @param targetOffset in bytes
   * @throws IllegalArgumentException as {@link #locate}, if this device does not reach the memory
   * @throws IndexOutOfBoundsException if the copy would leave the target
   */
  default CopyEvent copyToResidentAsync(
      ByteBuffer source, DeviceResident target, long targetOffset) {
    throw target.unreachableBy(this);
  }

  /**
   * Names the work of the application that regions name now, and returns at once. Nothing that the
   * application does to its events or streams afterwards changes that.
   *
   * @param sources as {@link #locate} gave them, one at least
   * @return the end of that work, however long it takes; it copies nothing
   * @throws IllegalArgumentException as {@link #locate}, if this device does not reach the memory
   */
  default CopyEvent workBefore(List<DeviceResident> sources) {
    throw sources.get(0).unreachableBy(this);
  }

  /**
   * Starts a copy of memory of the application on a device to {@code target}, from its position to
   * its limit; leaves both as they are. The caller has awaited {@link #workBefore}. Nothing of the
   * application waits for the copy.
   *
   * @param source as {@link #locate} gave it
   * @param sourceOffset in bytes
   * @throws IllegalArgumentException as {@link #locate}, if this device does not reach the memory
   * @throws IndexOutOfBoundsException if the copy would leave the source
   */
  default CopyEvent copyFromResidentAsync(
      DeviceResident source, long sourceOffset, ByteBuffer target) {
    throw source.unreachableBy(this);
  }

  /** A handle by which another process of the same user on this node can open the memory. */
  ExportedMemory export(DeviceAddress address);

  /**
   * Opens memory that a living process exported.
   *
   * @throws IOException naming the handle and the reason: of another kind, malformed, its owner is
   *     dead or has closed it
   */
  Opened open(ExportedMemory handle) throws IOException;

  /** Ends the device; no address, opened ones included, may be used afterwards. Idempotent. */
  @Override
  void close();

  /** Memory of another process or device, usable with both copies of the device that opened it. */
  interface Opened extends AutoCloseable {
    /** The memory; it cannot be freed or exported here. */
    DeviceAddress address();

    /**
     * Whether copies reach the address. The memory of a GPU is out of reach where the driver links
     * it to no GPU of this process; its owner is followed all the same. True by default.
     */
    default boolean isReached() {
      return true;
    }

    /**
     * Whether the owner is proven dead, or has closed its device, so that it neither reads nor
     * writes the memory. Returns false where nothing is proven.
     *
     * @throws IOException if the system cannot be asked
     */
    boolean ownerIsGone() throws IOException;

    /**
     * Whether the owner has {@linkplain DeviceMemory#giveUp given the memory up}, and waits until
     * this is closed. Never by default.
     */
    default boolean isGivenUp() {
      return false;
    }

    /** Ends the use of the address. Idempotent. */
    @Override
    void close();
  }
}
