package io.cairn.cli;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.format.ChunkChecksum;
import io.cairn.flush.format.ContainerReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * One region of one checkpoint, read and verified chunk by chunk, of which one is in memory. Not
 * thread-safe.
 */
final class RegionSide {
  private static final int NONE = -1;

  private final RegionImage image;
  private final int region;
  private final ChunkReader reader;
  private final Consumer<String> damage;
  private final LongConsumer progress;
  private final ChunkChecksum checksum = new ChunkChecksum();
  private final ByteBuffer bytes;
  private int loaded = NONE;
  private boolean good;

  /**
   * A region.
   *
   * @param region its number for the reader
   * @param damage receives a sentence for each chunk that cannot be read
   * @param progress receives the bytes of each chunk
   */
  RegionSide(
      RegionImage image,
      int region,
      ChunkReader reader,
      Consumer<String> damage,
      LongConsumer progress) {
    this.image = image;
    this.region = region;
    this.reader = reader;
    this.damage = damage;
    this.progress = progress;
    this.bytes = ByteBuffer.allocateDirect(image.chunks() == 0 ? 0 : image.chunkLength(0));
  }

  /** Shape and checksums. */
  RegionImage image() {
    return image;
  }

  /** Where the chunk with the byte at an offset ends. */
  long chunkEnd(long offset) {
    return Math.min(image.bytes(), (offset / image.chunkBytes() + 1) * image.chunkBytes());
  }

  /** Whether the chunk with the byte at an offset can be read; reads it unless it is loaded. */
  boolean load(long offset) {
    int chunk = (int) (offset / image.chunkBytes());
    if (chunk != loaded) {
      loaded = chunk;
      good = read(chunk);
      progress.accept(image.chunkLength(chunk));
    }
    return good;
  }

  /** Reads the chunks that begin at an offset or after it; returns how many cannot be read. */
  int loadFrom(long offset) {
    int unreadable = 0;
    long chunk = (offset + image.chunkBytes() - 1) / image.chunkBytes();
    for (long at = chunk * image.chunkBytes(); at < image.bytes(); at = chunkEnd(at)) {
      unreadable += load(at) ? 0 : 1;
    }
    return unreadable;
  }

  private boolean read(int chunk) {
    bytes.clear();
    try {
      reader.read(region, chunk, bytes);
      int found = checksum.before(bytes, 0);
      if (bytes.position() == image.chunkLength(chunk) && found == image.checksum(chunk)) {
        return true;
      }
      damage.accept(ContainerReader.mismatch(image, chunk, found));
    } catch (IOException e) {
      damage.accept(String.valueOf(e.getMessage()));
    }
    return false;
  }

  /** The bytes between two offsets of the chunk that was loaded last. */
  ByteBuffer slice(long from, long to) {
    int start = (int) (from - (long) loaded * image.chunkBytes());
    return bytes.slice(start, (int) (to - from));
  }
}
