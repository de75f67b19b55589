package io.cairn.cache.memory;

import io.cairn.core.model.HeldBytes;
import java.io.IOException;

/** Bytes in memory of a device that also reaches memory of the application. Not thread-safe. */
public interface DeviceBytes extends HeldBytes {
  /**
   * Copies all of them to memory of the application on the device, in the order that its region
   * names, and waits until they have landed. No byte passes through the host.
   *
   * @param offset in the target, in bytes
   * @throws IOException naming the memory and the cause; the target's content is undefined then
   * @throws IllegalArgumentException if the device does not reach the memory
   * @throws IndexOutOfBoundsException if the copy would leave the target
   */
  void copyTo(DeviceResident target, long offset) throws IOException;
}
