package io.cairn.cache.memory;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A span of a device's memory. Opaque: only the device that allocated or opened it interprets it.
 *
 * @param device number of the device, or of the opened handle, unique in this process
 * @param offset within the device, in bytes
 * @param bytes length
 */
public record DeviceAddress(long device, long offset, long bytes) {
  private static final AtomicLong DEVICES = new AtomicLong();

  /** Checks that offset and length are not negative. */
  public DeviceAddress {
    if (offset < 0 || bytes < 0) {
      throw new IllegalArgumentException("device address: offset " + offset + ", bytes " + bytes);
    }
  }

  /** A number that no other device of this process has. */
  public static long newDevice() {
    return DEVICES.incrementAndGet();
  }

  /**
   * A part of this span.
   *
   * @param start in bytes from the start of this span
   * @throws IndexOutOfBoundsException if it is not within this span
   */
  public DeviceAddress slice(long start, long length) {
    Objects.checkFromIndexSize(start, length, bytes);
    return new DeviceAddress(device, offset + start, length);
  }
}
