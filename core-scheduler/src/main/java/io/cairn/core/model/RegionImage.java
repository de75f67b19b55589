package io.cairn.core.model;

import io.cairn.internal.PathSegment;
import java.util.Arrays;

/**
 * The shape and the checksums of one captured region, as an index holds them. Chunk {@code k}
 * covers the bytes from {@code k * chunkBytes} on; the last one may be shorter. Immutable.
 *
 * @param name the region, unique within the rank
 * @param bytes its length
 * @param chunkBytes length of every chunk but the last
 * @param checksums CRC32C per chunk; copied
 */
@SuppressWarnings("ArrayRecordComponent") // a list would take five times the memory
public record RegionImage(String name, long bytes, int chunkBytes, int[] checksums) {
  /** Copies the checksums, and checks that there is one per chunk. */
  public RegionImage {
    PathSegment.require("region", name);
    if (bytes < 0 || chunkBytes < 1 || checksums.length != count(bytes, chunkBytes)) {
      throw new IllegalArgumentException(
          "region "
              + name
              + ": "
              + bytes
              + " bytes in "
              + checksums.length
              + " chunks of "
              + chunkBytes);
    }
    checksums = checksums.clone();
  }

  /** A copy of the checksums. */
  @Override
  public int[] checksums() {
    return checksums.clone();
  }

  /** CRC32C of chunk {@code k}. */
  public int checksum(int k) {
    return checksums[k];
  }

  /** How many chunks there are. */
  public int chunks() {
    return checksums.length;
  }

  /** Length of chunk {@code k} in bytes. */
  public int chunkLength(int k) {
    return (int) Math.min(chunkBytes, bytes - (long) k * chunkBytes);
  }

  /**
   * Chunks that {@code bytes} take.
   *
   * @throws ArithmeticException if they are more than an int counts
   */
  public static int chunks(long bytes, int chunkBytes) {
    return Math.toIntExact(count(bytes, chunkBytes));
  }

  /** Does not overflow, so that lengths of a damaged index are rejected. */
  private static long count(long bytes, int chunkBytes) {
    return bytes / chunkBytes + (bytes % chunkBytes == 0 ? 0 : 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RegionImage that
        && name.equals(that.name)
        && bytes == that.bytes
        && chunkBytes == that.chunkBytes
        && Arrays.equals(checksums, that.checksums);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + Arrays.hashCode(checksums);
  }

  @Override
  public String toString() {
    return name + " (" + bytes + " bytes, " + checksums.length + " chunks)";
  }
}
