package io.cairn.engine.nodes;

import io.cairn.Compression;
import io.cairn.engine.coordination.HttpAddress;
import java.util.Locale;

/**
 * The terms on which a process writes to STORE for others. Immutable; never shows the secret.
 *
 * @param address to serve at; port 0 is any free one
 * @param bytesPerSecond the most that it reads and writes; 0 for no bound
 * @param memoryBytes the most that it asks owners for before it has handed it on
 * @param threads ranks whose data is written at once
 * @param chunkBytes the longest chunk that it takes
 * @param codec how it compresses chunks
 */
public record StagingTerms(
    HttpAddress address,
    long bytesPerSecond,
    long memoryBytes,
    int threads,
    int chunkBytes,
    Compression codec) {
  private static final int LEAST_PIECE = 64 << 10;
  private static final int MOST_PIECE = 4 << 20;
  private static final int MOST_THREADS = 64;
  private static final int LEAST_CHUNK = 4096;
  private static final int MOST_CHUNK = 64 << 20;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the value that is out of its range
   */
  public StagingTerms {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("a rate of " + bytesPerSecond + ": give 0 or more");
    } else if (threads < 1 || threads > MOST_THREADS) {
      throw new IllegalArgumentException(threads + " threads: give 1 to " + MOST_THREADS);
    } else if (memoryBytes < 2L * LEAST_PIECE) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "memory of %d bytes: give %d or more", memoryBytes, 2L * LEAST_PIECE));
    } else if (chunkBytes < LEAST_CHUNK || chunkBytes > MOST_CHUNK) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "chunks of %d bytes: give %d to %d",
              chunkBytes,
              LEAST_CHUNK,
              MOST_CHUNK));
    }
  }

  /** The most bytes that an owner is asked for at once. */
  int pieceBytes() {
    return (int) Math.min(MOST_PIECE, memoryBytes / 2);
  }
}
