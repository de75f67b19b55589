package io.cairn.cache.capture;

import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.CapturedChunks;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One rank's checkpoint that lies in the regions alone, since no cache has room for it. Its chunks
 * pass one after the other through one slot of the cache, which reaches every region that the
 * device reaches. The regions must not be written before {@link #released()} has completed.
 *
 * <p>The regions are read twice: once for the checksums, and once by the reader. So a holder that
 * compares the checksums notices a region that was written in between. Thread-safe.
 */
public final class UncachedCheckpoint implements CapturedChunks {
  private final CachedCheckpoint buffer;
  private final Pin bufferPin;
  private final List<RegionImage> images;
  private final CompletableFuture<Void> released = new CompletableFuture<>();

  /** Empty once the regions are released, so that memory that moved is not kept reachable. */
  private List<Snapshot.Part> parts;

  private int pins;
  private boolean open = true;

  private UncachedCheckpoint(
      List<Snapshot.Part> parts, CachedCheckpoint buffer, Pin bufferPin, List<RegionImage> images) {
    this.parts = parts;
    this.buffer = buffer;
    this.bufferPin = bufferPin;
    this.images = images;
  }

  /** Reads all regions once; see {@link Snapshot#inPlace}. */
  static UncachedCheckpoint of(List<Snapshot.Part> parts, CachedCheckpoint buffer)
      throws IOException {
    Pin pin = buffer.pin().orElseThrow(() -> new IllegalStateException(buffer + " was discarded"));
    try {
      return new UncachedCheckpoint(parts, buffer, pin, checksummed(parts, buffer));
    } catch (IOException | RuntimeException | Error e) {
      buffer.discard();
      pin.close();
      throw e;
    }
  }

  private static List<RegionImage> checksummed(List<Snapshot.Part> parts, CachedCheckpoint buffer)
      throws IOException {
    List<RegionImage> images = new ArrayList<>(parts.size());
    for (Snapshot.Part part : parts) {
      long bytes = part.memory().bytes();
      int[] checksums = new int[RegionImage.chunks(bytes, buffer.chunkBytes())];
      for (int chunk = 0; chunk < checksums.length; chunk++) {
        checksums[chunk] = stage(part.memory(), chunk, buffer).checksum();
      }
      images.add(new RegionImage(part.name(), bytes, buffer.chunkBytes(), checksums));
    }
    return List.copyOf(images);
  }

  /** Copies a chunk to the slot. */
  private static CopyEvent stage(CaptureSource source, int chunk, CachedCheckpoint buffer)
      throws IOException {
    long offset = (long) chunk * buffer.chunkBytes();
    long length = Math.min(buffer.chunkBytes(), source.bytes() - offset);
    Place slot = buffer.place(0);
    CopyEvent copy =
        slot.engine().copyAndChecksumAsync(source, offset, slot.address().slice(0, length));
    copy.awaitLanding();
    return copy;
  }

  @Override
  public List<RegionImage> images() {
    return images;
  }

  @Override
  public synchronized Optional<Pin> pin() {
    if (!open) {
      return Optional.empty();
    }
    pins++;
    return Optional.of(new Pin(this::reader, this::unpin));
  }

  private void unpin() {
    synchronized (this) {
      pins--;
      open &= pins > 0;
    }
    endIfReleased();
  }

  /** Reads the regions until they are released; throws {@link IOException} afterwards. */
  @Override
  public ChunkReader reader() {
    return this::read;
  }

  private synchronized void read(int region, int chunk, ByteBuffer into) throws IOException {
    if (!open) {
      throw new IOException(buffer.id() + " cannot be read any more: its regions were released");
    }
    RegionImage image = images.get(region);
    stage(parts.get(region).memory(), Objects.checkIndex(chunk, image.chunks()), buffer);
    buffer.place(0).read(image.chunkLength(chunk), into).await();
  }

  /**
   * Completes when the last pin is closed, or at {@link #release()}: the regions may be written
   * then, and the slot is free again.
   */
  public CompletableFuture<Void> released() {
    return released.copy();
  }

  /** Whether a pin is open; after {@link #release()} its owner may still be busy otherwise. */
  public synchronized boolean isPinned() {
    return pins > 0;
  }

  /**
   * Releases the regions even while pins are open: their readers fail from now on. Waits for the
   * copy of one chunk at most. Idempotent.
   */
  public void release() {
    synchronized (this) {
      open = false;
    }
    endIfReleased();
  }

  private void endIfReleased() {
    synchronized (this) {
      if (open) {
        return;
      }
      parts = List.of();
    }
    buffer.discard();
    bufferPin.close();
    released.complete(null);
  }

  @Override
  public String toString() {
    return "regions of " + buffer;
  }
}
