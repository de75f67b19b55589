package io.cairn.flush.format;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The content of a region of many gigabytes: zeros, but for a few marked bytes. They lie where a
 * number of 31 or 32 bits ends, and at both ends of the region. Not thread-safe.
 */
public final class MarkedBytes {
  private static final int ZEROS_BYTES = 1 << 20;

  private final long bytes;
  private final NavigableMap<Long, Byte> marks = new TreeMap<>();
  private final ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);

  /**
   * Marked bytes.
   *
   * @param bytes their number, more than 2^32
   */
  public MarkedBytes(long bytes) {
    this.bytes = bytes;
    for (long at : new long[] {0, (1L << 31) - 1, 1L << 31, (1L << 32) - 1, 1L << 32, bytes - 1}) {
      marks.put(at, (byte) (1 + marks.size()));
    }
  }

  /** Their number. */
  public long bytes() {
    return bytes;
  }

  /** The bytes that are not zero, by offset. */
  public NavigableMap<Long, Byte> marks() {
    return marks;
  }

  /** Changes the last byte. */
  public void changeLast() {
    marks.merge(bytes - 1, (byte) 1, (before, one) -> (byte) (before + one));
  }

  /** The image that a capture gives. */
  public RegionImage image(String name, int chunkBytes) {
    int[] checksums = new int[RegionImage.chunks(bytes, chunkBytes)];
    ByteBuffer chunk = ByteBuffer.allocateDirect(chunkBytes);
    CRC32C crc = new CRC32C();
    int ofZeros = 0;
    for (int k = 0; k < checksums.length; k++) {
      long at = (long) k * chunkBytes;
      int length = (int) Math.min(chunkBytes, bytes - at);
      boolean isZeros = length == chunkBytes && marks.subMap(at, at + length).isEmpty();
      if (isZeros && ofZeros != 0) {
        checksums[k] = ofZeros;
        continue;
      }
      read(at, length, chunk.clear());
      crc.reset();
      crc.update(chunk.flip());
      checksums[k] = (int) crc.getValue();
      ofZeros = isZeros ? checksums[k] : ofZeros;
    }
    return new RegionImage(name, bytes, chunkBytes, checksums);
  }

  /** Reads chunks of {@code chunkBytes}. */
  public ChunkReader reader(int chunkBytes) {
    return (region, chunk, into) -> {
      long at = (long) chunk * chunkBytes;
      read(at, (int) Math.min(chunkBytes, bytes - at), into);
    };
  }

  private void read(long at, int length, ByteBuffer into) {
    int start = into.position();
    while (into.position() < start + length) {
      into.put(zeros.clear().limit(Math.min(ZEROS_BYTES, start + length - into.position())));
    }
    marks
        .subMap(at, at + length)
        .forEach((offset, mark) -> into.put(start + (int) (offset - at), mark));
  }

  /**
   * Requires the marks where they belong, and zeros around them, as a reader has them.
   *
   * @throws IOException naming the offset of a byte that differs
   */
  public void requireMarks(int chunkBytes, ChunkReader found) throws IOException {
    ByteBuffer expected = ByteBuffer.allocate(chunkBytes);
    ByteBuffer read = ByteBuffer.allocate(chunkBytes);
    for (long offset : marks.keySet()) {
      long at = offset / chunkBytes * chunkBytes;
      read(at, (int) Math.min(chunkBytes, bytes - at), expected.clear());
      found.read(0, Math.toIntExact(offset / chunkBytes), read.clear());
      int mismatch = expected.flip().mismatch(read.flip());
      if (mismatch >= 0) {
        throw new IOException("differs at " + (at + mismatch));
      }
    }
  }
}
