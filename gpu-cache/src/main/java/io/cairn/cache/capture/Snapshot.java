package io.cairn.cache.capture;

import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.CopyEngine;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The shape of the regions at one moment, which a capture copies. Not thread-safe. */
public final class Snapshot {
  private final List<Part> parts;
  private final int chunkBytes;
  private final long bytes;
  private final int chunks;

  /** One region and its source. */
  record Part(String name, CaptureSource memory) {}

  Snapshot(List<Part> parts, int chunkBytes) {
    this.parts = parts;
    this.chunkBytes = chunkBytes;
    long sum = 0;
    int count = 0;
    for (Part part : parts) {
      sum += part.memory().bytes();
      count = Math.addExact(count, RegionImage.chunks(part.memory().bytes(), chunkBytes));
    }
    bytes = sum;
    chunks = count;
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
   * Starts to copy every chunk that has a place into it, each byte once. {@link Capture#resume}
   * starts the others when they have places. The regions must not be written until the capture is
   * done. The checkpoint stays pinned until the capture is seen to be done.
   *
   * @param target reserved for this, for as many chunks as there are
   * @throws IllegalArgumentException if its chunks do not match in number or length
   * @throws IllegalStateException if it was discarded
   */
  public Capture copyInto(CachedCheckpoint target) {
    return copyInto(target, CopyEngine::copyAndChecksumAsync);
  }

  /** Whether no byte lies on a device, which copies by itself in the order of its work. */
  public boolean isOnHost() {
    return parts.stream().allMatch(part -> part.memory() instanceof HostMemory);
  }

  /** Whether all regions together are no longer than one chunk. */
  public boolean isShort() {
    return bytes <= chunkBytes;
  }

  /**
   * Like {@link #copyInto}, but the training goes on; {@link CaptureBeside} says who copies. Of
   * regions on the host alone nothing is copied before it returns. Beside regions on a device, all
   * that lies on the host is. Blobs must have been {@linkplain ProtectedRegions#snapshotToCopyLater
   * kept}.
   *
   * @param target has places for all chunks
   * @throws IllegalStateException if it has not
   */
  public CaptureBeside copyBeside(CachedCheckpoint target) {
    if (target.placed() < chunks) {
      throw new IllegalStateException(target + " cannot be copied beside the training");
    }
    return new CaptureBeside(parts, isOnHost(), chunkBytes, start -> copyInto(target, start));
  }

  private Capture copyInto(CachedCheckpoint target, Capture.Start start) {
    if (target.chunks() != chunks || target.chunkBytes() != chunkBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: %d slots of %d bytes for %d chunks of %d",
              target,
              target.chunks(),
              target.chunkBytes(),
              chunks,
              chunkBytes));
    }
    Pin pin = target.pin().orElseThrow(() -> new IllegalStateException(target + " was discarded"));
    Capture capture = new Capture(parts, chunks, target, pin, start);
    capture.resume();
    return capture;
  }

  /**
   * Computes the checksums of all chunks, which stay in the regions. Reads each byte once. The
   * regions must not be written until the result is released.
   *
   * @param buffer at least one slot, for chunks of this length; discarded when the result is
   *     released, or if this method fails
   * @throws IOException if a region cannot be read
   */
  public UncachedCheckpoint inPlace(CachedCheckpoint buffer) throws IOException {
    if (buffer.chunkBytes() != chunkBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: a slot of %d bytes for chunks of %d",
              buffer,
              buffer.chunkBytes(),
              chunkBytes));
    }
    return UncachedCheckpoint.of(parts, buffer);
  }
}
