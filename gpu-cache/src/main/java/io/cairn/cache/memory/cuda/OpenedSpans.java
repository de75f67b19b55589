package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The memory of other devices that one device has opened. Thread-safe. */
final class OpenedSpans {
  /** The end of a span's mapping. */
  interface Unmapping {
    void unmap();
  }

  private final Map<Long, Span> spans = new ConcurrentHashMap<>();

  /**
   * Adds a span.
   *
   * @param base the driver's address of its first byte
   * @param life the owner's sign of life, closed with the span
   */
  DeviceMemory.Opened add(long base, long bytes, DeviceMemory.Opened life, Unmapping unmapping) {
    DeviceAddress address = new DeviceAddress(DeviceAddress.newDevice(), 0, bytes);
    Span span = new Span(address, base, life, unmapping);
    spans.put(address.device(), span);
    return span;
  }

  /** The driver's address of a part of a span; 0 if it is not one. */
  long resolve(DeviceAddress part) {
    Span span = spans.get(part.device());
    return span == null || part.bytes() > span.address.bytes() - part.offset()
        ? 0
        : span.base + part.offset();
  }

  void close() {
    spans.values().forEach(Span::close);
  }

  private final class Span implements DeviceMemory.Opened {
    private final DeviceAddress address;
    private final long base;
    private final DeviceMemory.Opened life;
    private final Unmapping unmapping;

    Span(DeviceAddress address, long base, DeviceMemory.Opened life, Unmapping unmapping) {
      this.address = address;
      this.base = base;
      this.life = life;
      this.unmapping = unmapping;
    }

    @Override
    public DeviceAddress address() {
      return address;
    }

    @Override
    public boolean ownerIsGone() throws IOException {
      return life.ownerIsGone();
    }

    @Override
    public void close() {
      if (spans.remove(address.device(), this)) {
        unmapping.unmap();
        life.close();
      }
    }
  }
}
