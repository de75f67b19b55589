package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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

  /** The open span that a part belongs to; null if there is none. */
  @Nullable Span find(DeviceAddress part) {
    Span span = spans.get(part.device());
    return span == null || part.bytes() > span.address.bytes() - part.offset() ? null : span;
  }

  /** Unmaps all spans, those that copies hold included. No copy is under way. */
  void close() {
    spans.values().forEach(Span::unmap);
  }

  /** One span. Its users are counted: its opener, and each copy until it has ended. */
  final class Span implements DeviceMemory.Opened {
    private final DeviceAddress address;
    private final long base;
    private final DeviceMemory.Opened life;
    private final Unmapping unmapping;
    private int users = 1;
    private boolean closed;

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

    /** The driver's address of a part. */
    long resolve(DeviceAddress part) {
      return base + part.offset();
    }

    /** Adds a user, who {@linkplain #release releases} the span once; false if it is closed. */
    synchronized boolean hold() {
      if (!closed) {
        users++;
      }
      return !closed;
    }

    void release() {
      if (isLastUse()) {
        unmap();
      }
    }

    private synchronized boolean isLastUse() {
      users--;
      return users == 0;
    }

    private void unmap() {
      if (spans.remove(address.device(), this)) {
        unmapping.unmap();
        life.close();
      }
    }

    @Override
    public boolean ownerIsGone() throws IOException {
      return life.ownerIsGone();
    }

    @Override
    public boolean isGivenUp() {
      return life.isGivenUp();
    }

    @Override
    public void close() {
      synchronized (this) {
        if (closed) {
          return;
        }
        closed = true;
      }
      release();
    }
  }
}
