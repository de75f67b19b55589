package io.cairn.flush.format;

import io.cairn.core.model.ChunkLanes;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ContentHash;
import java.io.IOException;
import java.util.BitSet;
import java.util.Optional;

/**
 * The chunks of a rank whose source shows, by a hash or a comparison, that they are as in the base.
 * The answer for a chunk does not change between two uses. Not thread-safe.
 */
final class Unchanged {
  /** A thread that compares less saves less than it costs. */
  static final long LEAST_LANE_BYTES = 16 << 20;

  private static final int MOST_LANES = 2;

  private final RankChunks rank;
  private final ChunkNumbers numbers;
  private final References references;
  private final BitSet unchanged = new BitSet();
  private final BitSet asked = new BitSet();

  /** Nothing was compared yet. */
  Unchanged(RankChunks rank, ChunkNumbers numbers, References references) {
    this.rank = rank;
    this.numbers = numbers;
    this.references = references;
  }

  /**
   * Compares all chunks that may be left out. Two threads do, if there are many bytes: one does not
   * use all bandwidth of the memory. Without many bytes, chunks are compared as they are written.
   *
   * @throws IOException from the source
   */
  void compareMany() throws IOException {
    int lanes = Math.min(MOST_LANES, Runtime.getRuntime().availableProcessors());
    lanes = (int) Math.min(lanes, bytesToCompare() / LEAST_LANE_BYTES);
    if (lanes < 2) {
      return;
    }
    BitSet[] found = new BitSet[lanes];
    ChunkLanes.run(
        lanes,
        numbers.all(),
        (lane, first, end) -> {
          found[lane] = new BitSet();
          for (int number = first; number < end; number++) {
            found[lane].set(number, find(number));
          }
        });
    asked.set(0, numbers.all());
    for (BitSet each : found) {
      unchanged.or(each);
    }
  }

  private long bytesToCompare() {
    long bytes = 0;
    for (int number = 0; number < numbers.all(); number++) {
      int region = numbers.region(number);
      int chunk = numbers.chunk(number);
      if (rank.part().holds(region, chunk) && references.mayLeaveOut(region, chunk)) {
        bytes += rank.images().get(region).chunkLength(chunk);
      }
    }
    return bytes;
  }

  /** Whether a chunk, by its number, is as in the base. */
  boolean contains(int number) throws IOException {
    if (!asked.get(number)) {
      asked.set(number);
      unchanged.set(number, find(number));
    }
    return unchanged.get(number);
  }

  private boolean find(int number) throws IOException {
    int region = numbers.region(number);
    int chunk = numbers.chunk(number);
    if (!rank.part().holds(region, chunk) || !references.mayLeaveOut(region, chunk)) {
      return false;
    }
    Optional<ContentHash> before = references.hashInBase(region, chunk);
    Optional<ContentHash> now = rank.source().hash(region, chunk);
    boolean known = before.isPresent() && now.isPresent();
    return known
        ? now.equals(before)
        : rank.source().equalsOlder(references.base().orElseThrow(), region, chunk);
  }
}
