package io.cairn.core.flow;

import java.util.Locale;

/**
 * The remainders and spares of one checkpoint on a topology. A device with a remainder is a sender:
 * these bytes do not fit its own cache. A device with spare is a receiver: its cache still has room
 * for them. Immutable, thread-safe.
 */
public final class FlowProblem {
  private final Topology topology;
  private final long[] remainderBytes;
  private final long[] spareBytes;
  private final long chunkBytes;

  /**
   * @param topology the devices and their links
   * @param remainderBytes per device, not negative
   * @param spareBytes per device, not negative; a device has a remainder or spare, never both
   * @param chunkBytes the unit of plans in whole chunks, at least 1
   * @throws IllegalArgumentException if an array has another length than there are devices, or a
   *     size is out of its range; it names the device
   */
  public FlowProblem(Topology topology, long[] remainderBytes, long[] spareBytes, long chunkBytes) {
    this.topology = topology;
    this.remainderBytes = checked(remainderBytes, "remainder");
    this.spareBytes = checked(spareBytes, "spare");
    this.chunkBytes = chunkBytes;
    if (chunkBytes < 1) {
      throw new IllegalArgumentException("a chunk has at least 1 byte, not " + chunkBytes);
    }
    for (int device = 0; device < remainderBytes.length; device++) {
      if (remainderBytes[device] > 0 && spareBytes[device] > 0) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "device %d has a remainder of %d bytes and %d bytes to spare; its own remainder"
                    + " fills its spare first",
                device,
                remainderBytes[device],
                spareBytes[device]));
      }
    }
  }

  private long[] checked(long[] bytes, String what) {
    if (bytes.length != topology.devices()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%d %s sizes for %d devices", bytes.length, what, topology.devices()));
    }
    for (int device = 0; device < bytes.length; device++) {
      if (bytes[device] < 0) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the %s of device %d is negative: %d bytes",
                what,
                device,
                bytes[device]));
      }
    }
    return bytes.clone();
  }

  /** The devices and their links. */
  public Topology topology() {
    return topology;
  }

  /** Number of devices. */
  public int devices() {
    return remainderBytes.length;
  }

  /** Bytes that do not fit the device's own cache. */
  public long remainderBytes(int device) {
    return remainderBytes[device];
  }

  /** Bytes that the device's cache takes from others. */
  public long spareBytes(int device) {
    return spareBytes[device];
  }

  /** The unit of plans in whole chunks. */
  public long chunkBytes() {
    return chunkBytes;
  }

  /** The remainder in bytes, or in chunks. */
  long remainder(int device, boolean inChunks) {
    return inChunks ? remainderChunks(device) : remainderBytes[device];
  }

  /** The spare in bytes, or in chunks. */
  long spare(int device, boolean inChunks) {
    return inChunks ? spareChunks(device) : spareBytes[device];
  }

  /** The remainder in chunks; the last may be short and still takes a slot. */
  public long remainderChunks(int device) {
    long bytes = remainderBytes[device];
    return bytes / chunkBytes + (bytes % chunkBytes == 0 ? 0 : 1);
  }

  /** The whole chunks that fit the spare. */
  public long spareChunks(int device) {
    return spareBytes[device] / chunkBytes;
  }
}
