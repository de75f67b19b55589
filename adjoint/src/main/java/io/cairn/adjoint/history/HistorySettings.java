package io.cairn.adjoint.history;

import java.nio.file.Path;
import java.util.Locale;

/**
 * The space of a history.
 *
 * @param deviceBytes of the device memory, at least one chunk
 * @param chunkBytes the unit of space, a power of two from 4 KiB to 1 MiB; a state wastes half of
 *     one for each region
 * @param directory of its files, its own alone; made if missing
 * @param fileBytes of all files together, 0 or more
 */
public record HistorySettings(long deviceBytes, int chunkBytes, Path directory, long fileBytes) {
  /** The length of a file. */
  static final int SEGMENT_BYTES = 64 << 20;

  private static final int LEAST_CHUNK_BYTES = 4 << 10;
  private static final int MOST_CHUNK_BYTES = 1 << 20;

  /** Checks the numbers. */
  public HistorySettings {
    if (Integer.bitCount(chunkBytes) != 1
        || chunkBytes < LEAST_CHUNK_BYTES
        || chunkBytes > MOST_CHUNK_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "chunks of %d bytes; allowed are powers of two from %d to %d",
              chunkBytes,
              LEAST_CHUNK_BYTES,
              MOST_CHUNK_BYTES));
    }
    requireChunks("device memory", deviceBytes, chunkBytes, 1);
    requireChunks("files", fileBytes, chunkBytes, 0);
  }

  /** Chunks of 16 KiB. */
  public HistorySettings(long deviceBytes, Path directory, long fileBytes) {
    this(deviceBytes, 16 << 10, directory, fileBytes);
  }

  private static void requireChunks(String of, long bytes, int chunkBytes, int least) {
    if (bytes / chunkBytes < least || bytes < 0 || bytes / chunkBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d bytes of %s in chunks of %d bytes; allowed are %d to %d chunks",
              bytes,
              of,
              chunkBytes,
              least,
              Integer.MAX_VALUE));
    }
  }

  int deviceChunks() {
    return (int) (deviceBytes / chunkBytes);
  }

  int fileChunks() {
    return (int) (fileBytes / chunkBytes);
  }
}
