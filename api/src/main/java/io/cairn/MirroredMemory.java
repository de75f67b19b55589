package io.cairn;

/**
 * The owner of memory that a library keeps twice, on a device and in host memory. The library alone
 * knows on which side the newer bytes are. A {@link Region.OnDevice} with such an owner is captured
 * and restored on the device, or in host memory where Cairn does not reach the device. Cairn calls
 * all methods on the training thread.
 */
public interface MirroredMemory {
  /** Where the bytes are. */
  enum Side {
    /** The region's own address. */
    DEVICE,

    /** {@link #hostAddress}. */
    HOST
  }

  /**
   * Brings the newest bytes to a side, before a capture reads them there. Likewise before a restore
   * writes them there, since the library may keep other memory together with the region.
   *
   * @throws IllegalStateException with the remedy, if the memory is no longer that of the region
   */
  void bringTo(Side side);

  /** A restore wrote this side, so the bytes of the other one are old. */
  void written(Side side);

  /** The address of the region's first byte in host memory, after {@link #bringTo}. */
  long hostAddress();
}
