package io.cairn.cache.memory;

import io.cairn.DeviceName;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The application's own memory on a {@link DelayedDevice}, and when the work of the device's
 * streams and events ends, in the device's virtual time. Used under the device's lock, but for what
 * tests set up.
 */
public final class DeviceHeap {
  /** The device that the memory lies on. */
  public static final DeviceName DEVICE = new DeviceName("fake", 0);

  /** No address of this process. */
  private static final long BASE = 0x7f00_0000_0000L;

  private final ByteBuffer bytes;
  private final Map<Long, Long> streams = new HashMap<>();
  private final Map<Long, Long> events = new HashMap<>();

  /** A heap of zeros. */
  public DeviceHeap(int capacityBytes) {
    bytes = ByteBuffer.allocateDirect(capacityBytes);
  }

  /** The bytes, for the device's work and for what tests expect. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** A region over a part of the heap. */
  public Region.OnDevice region(String name, int offset, int length, ReadyAfter after) {
    return new Region.OnDevice(name, DEVICE, BASE + offset, length, after, this);
  }

  /** The memory as a device sees it that reaches this heap and the host's memory. */
  HostMemory view(CaptureSource source, CopyEngine device) {
    if (source instanceof DeviceResident memory && holds(memory)) {
      int offset = (int) (memory.region().address() - BASE);
      return HostMemory.of(bytes.slice(offset, (int) memory.bytes()));
    }
    return source.requireHost(device);
  }

  private boolean holds(DeviceResident memory) {
    long offset = memory.region().address() - BASE;
    return memory.region().device().equals(DEVICE)
        && offset >= 0
        && memory.bytes() <= bytes.capacity() - offset;
  }

  /** Adds work to a stream; the moment is not before that of the stream's earlier work. */
  long enqueue(long stream, long due) {
    return streams.merge(stream, due, Math::max);
  }

  void record(long event, long stream) {
    events.put(event, streams.getOrDefault(stream, 0L));
  }

  /** Lets a stream wait until the memory that is in its order was copied. */
  void holdUp(CaptureSource source, long until) {
    if (source instanceof DeviceResident memory
        && memory.region().after() instanceof ReadyAfter.Stream stream) {
      enqueue(stream.handle(), until);
    }
  }

  /** The moment before which memory must not be copied. */
  long readyAt(CaptureSource source) {
    return source instanceof DeviceResident memory ? readyAt(memory.region().after()) : 0;
  }

  private long readyAt(ReadyAfter after) {
    if (after instanceof ReadyAfter.Stream stream) {
      return streams.getOrDefault(stream.handle(), 0L);
    } else if (after instanceof ReadyAfter.Event event) {
      return events.getOrDefault(event.handle(), 0L);
    } else if (after instanceof ReadyAfter.Nothing) {
      return 0;
    }
    throw new AssertionError(after);
  }
}
