package io.cairn.adjoint.history;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Numbers of chunks, free or taken. Chunks that one state gave back are taken in rising order, so
 * that states of one size lie in one run. Not thread-safe. O(1) per chunk, and no allocation after
 * the pool was full once.
 */
final class ChunkPool {
  private int capacity;
  private int[] given = new int[64];
  private int givenCount;
  private int fresh;
  private int peak;

  ChunkPool(int capacity) {
    this.capacity = capacity;
  }

  /** Becomes a pool of so many free chunks. */
  void restart(int newCapacity) {
    capacity = newCapacity;
    fresh = 0;
    givenCount = 0;
  }

  int capacity() {
    return capacity;
  }

  int free() {
    return capacity - fresh + givenCount;
  }

  int used() {
    return capacity - free();
  }

  /** The most chunks that were taken at once. */
  int peak() {
    return peak;
  }

  /** Fills the first {@code count} entries; so many must be free. */
  void take(int[] into, int count) {
    for (int i = 0; i < count; i++) {
      into[i] = givenCount > 0 ? given[--givenCount] : fresh++;
    }
    peak = Math.max(peak, capacity - free());
  }

  /** Takes these chunks of a pool that is full. */
  void claim(BitSet chunks) {
    fresh = chunks.length();
    for (int chunk = fresh - 1; chunk >= 0; chunk--) {
      if (!chunks.get(chunk)) {
        give(new int[] {chunk}, 1);
      }
    }
  }

  /** Frees the first {@code count} entries. */
  void give(int[] chunks, int count) {
    if (givenCount + count > given.length) {
      given =
          Arrays.copyOf(given, Math.max(givenCount + count, Math.min(capacity, 2 * given.length)));
    }
    for (int i = count - 1; i >= 0; i--) {
      given[givenCount++] = chunks[i];
    }
  }
}
