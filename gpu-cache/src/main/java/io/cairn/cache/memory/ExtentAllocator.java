package io.cairn.cache.memory;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Allocates spans of {@code [0, capacity)}, first fit, aligned to 8 bytes, none of which crosses a
 * multiple of the window's length. Neighbours merge when they are freed. O(free spans) per
 * allocation, O(log spans) per free. Thread-safe. For implementations of {@link DeviceMemory}.
 */
public final class ExtentAllocator {
  private static final long ALIGNMENT = 8;

  private final String device;
  private final long windowBytes;
  private final TreeMap<Long, Long> free = new TreeMap<>();
  private final TreeMap<Long, Long> used = new TreeMap<>();

  /**
   * All of the capacity is free.
   *
   * @param device for messages
   */
  public ExtentAllocator(String device, long capacityBytes, long windowBytes) {
    this.device = device;
    this.windowBytes = windowBytes;
    for (long start = 0; start < capacityBytes; start += windowBytes) {
      free.put(start, Math.min(windowBytes, capacityBytes - start));
    }
  }

  /**
   * Allocates a span.
   *
   * @return its offset
   * @throws IOException naming the requested and the free bytes, if no free span is long enough
   */
  public synchronized long allocate(long bytes) throws IOException {
    if (bytes < 1) {
      throw new IllegalArgumentException("device " + device + ": allocation of " + bytes);
    }
    long length = roundUp(bytes);
    for (Map.Entry<Long, Long> span : free.entrySet()) {
      if (span.getValue() >= length) {
        return take(span.getKey(), span.getValue(), length);
      }
    }
    throw new IOException(
        String.format(
            Locale.ROOT,
            "device %s: no room for %d bytes: %d free in %d spans, the longest %d",
            device,
            bytes,
            freeBytes(),
            free.size(),
            longest()));
  }

  /**
   * Frees a span.
   *
   * @throws IllegalArgumentException if no allocation of that length starts there
   */
  public synchronized void free(long offset, long bytes) {
    Long length = used.get(offset);
    if (length == null || length != roundUp(bytes)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "device %s: %d bytes at %d are not an allocation",
              device,
              bytes,
              offset));
    }
    used.remove(offset);
    long start = offset;
    long end = offset + length;
    Map.Entry<Long, Long> before = free.lowerEntry(offset);
    if (before != null
        && before.getKey() + before.getValue() == start
        && start % windowBytes != 0) {
      start = before.getKey();
    }
    Long after = free.get(end);
    if (after != null && end % windowBytes != 0) {
      free.remove(end);
      end += after;
    }
    free.put(start, end - start);
  }

  /** Whether a span lies within one allocation. */
  public synchronized boolean isAllocated(long offset, long bytes) {
    Map.Entry<Long, Long> span = used.floorEntry(offset);
    return span != null && offset + bytes <= span.getKey() + span.getValue();
  }

  /** Free bytes, in spans of any length. */
  public synchronized long freeBytes() {
    return free.values().stream().mapToLong(Long::longValue).sum();
  }

  private long take(long offset, long available, long length) {
    free.remove(offset);
    if (available > length) {
      free.put(offset + length, available - length);
    }
    used.put(offset, length);
    return offset;
  }

  private long longest() {
    return free.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private static long roundUp(long bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}
