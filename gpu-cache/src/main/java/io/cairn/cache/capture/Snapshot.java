package io.cairn.cache.capture;

import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The shape of the regions at one moment: what a capture copies. Not thread-safe. */
public final class Snapshot {
  private final List<Part> parts;
  private final int chunkBytes;
  private final long bytes;
  private final int chunks;

  /** One region and where its bytes are now. */
  record Part(String name, HostMemory memory) {}

  Snapshot(List<Part> parts, int chunkBytes) {
    this.parts = parts;
    this.chunkBytes = chunkBytes;
    bytes = parts.stream().mapToLong(part -> part.memory().bytes()).sum();
    chunks =
        parts.stream()
            .mapToInt(part -> RegionImage.chunks(part.memory().bytes(), chunkBytes))
            .reduce(0, Math::addExact);
  }

  /** Bytes of all regions. */
  public long bytes() {
    return bytes;
  }

  /** Chunks of all regions: the slots that a capture needs. */
  public int chunks() {
    return chunks;
  }

  /**
   * Starts to copy every chunk into its slot, each byte once. The regions must not be written until
   * the capture is done. The slots are pinned until the capture was seen to be done.
   *
   * @param slots reserved for this, with as many slots as there are chunks
   * @param memory the device that the slots lie in
   * @throws IllegalArgumentException if slots and chunks do not match in number or length
   * @throws IllegalStateException if the slots were discarded
   */
  public Capture copyInto(CachedCheckpoint slots, DeviceMemory memory) {
    if (slots.slots() != chunks || slots.chunkBytes() != chunkBytes) {
      throw new IllegalArgumentException(
          "%s: %d slots of %d bytes for %d chunks of %d"
              .formatted(slots, slots.slots(), slots.chunkBytes(), chunks, chunkBytes));
    }
    Pin pin = slots.pin().orElseThrow(() -> new IllegalStateException(slots + " was discarded"));
    List<CopyEvent> events = new ArrayList<>(chunks);
    try {
      start(slots, memory, events);
      return new Capture(parts, chunkBytes, events, pin);
    } catch (RuntimeException e) {
      // the caller gets no capture to wait for, and the slots may be reused when the pin is gone
      events.forEach(event -> land(event, e));
      pin.close();
      throw e;
    }
  }

  private void start(CachedCheckpoint slots, DeviceMemory memory, List<CopyEvent> events) {
    for (Part part : parts) {
      long length = part.memory().bytes();
      for (long offset = 0; offset < length; offset += chunkBytes) {
        DeviceAddress slot = slots.slot(events.size());
        DeviceAddress target = length - offset < chunkBytes ? slot.slice(0, length - offset) : slot;
        events.add(memory.copyAndChecksumAsync(part.memory(), offset, target));
      }
    }
  }

  private static void land(CopyEvent event, RuntimeException cause) {
    try {
      event.awaitLanding();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
