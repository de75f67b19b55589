package io.cairn.cache.memory;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the bytes copied to and from device memory of any kind. Unlike times, the counts are the
 * same on every machine. Thread-safe.
 */
public final class CopyCounter {
  private final LongAdder toDevice = new LongAdder();
  private final LongAdder toHost = new LongAdder();

  /** The same memory, with its copies counted here. Closing it closes {@code memory}. */
  public DeviceMemory count(DeviceMemory memory) {
    return new CountedMemory(memory, this);
  }

  /**
   * Bytes that captures, and restores of memory on a device, started to copy to the device. Bytes
   * that a device restores from its own memory are not counted.
   */
  public long bytesToDevice() {
    return toDevice.sum();
  }

  /** Bytes that flushes and restores started to copy from the device. */
  public long bytesToHost() {
    return toHost.sum();
  }

  void addToDevice(long bytes) {
    toDevice.add(bytes);
  }

  void addToHost(long bytes) {
    toHost.add(bytes);
  }
}
