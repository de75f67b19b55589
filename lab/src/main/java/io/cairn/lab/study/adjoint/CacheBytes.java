package io.cairn.lab.study.adjoint;

import java.util.BitSet;
import java.util.stream.IntStream;

/** The bytes that leave a cache downwards, if states are stored in order and read in reverse. */
final class CacheBytes {
  private final int[] sizes;
  private final int capacity;
  private final long total;

  /**
   * States and the cache's bytes.
   *
   * @param sizes in bytes, each at most the capacity
   */
  CacheBytes(int[] sizes, int capacity) {
    this.sizes = sizes.clone();
    this.capacity = capacity;
    total = IntStream.of(sizes).asLongStream().sum();
  }

  /** If the state that is needed last leaves first: the earliest one. O(states). */
  long nextUse() {
    long held = 0;
    long left = 0;
    int earliest = 0;
    for (int size : sizes) {
      for (held += size; held > capacity; earliest++) {
        held -= sizes[earliest];
        left += sizes[earliest];
      }
    }
    return left;
  }

  /** The least, if a state may go past the cache: what stays fills it as well as can be. */
  long least() {
    return total - most(false);
  }

  /** The least, if each state must first fit beside what stays for good. */
  long leastThroughCache() {
    return total - most(true);
  }

  /** The most bytes that can stay. O(states · capacity / 64). */
  private long most(boolean throughCache) {
    BitSet sums = new BitSet(capacity + 1);
    sums.set(0);
    for (int size : sizes) {
      if (throughCache) {
        sums.clear(capacity - size + 1, capacity + 1);
      }
      add(sums, size);
    }
    return sums.length() - 1L;
  }

  private void add(BitSet sums, int size) {
    long[] words = sums.toLongArray();
    long[] moved = new long[(capacity >> 6) + 2];
    int ahead = size >> 6;
    int bits = size & 63;
    for (int i = 0; i < words.length && i + ahead < moved.length; i++) {
      moved[i + ahead] |= words[i] << bits;
      if (bits > 0 && i + ahead + 1 < moved.length) {
        moved[i + ahead + 1] |= words[i] >>> (64 - bits);
      }
    }
    sums.or(BitSet.valueOf(moved));
    sums.clear(capacity + 1, Math.max(capacity + 1, sums.length()));
  }
}
