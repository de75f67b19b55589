package io.cairn.lab.study.adjoint;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** The fewest misses of a cache whose future reads are known (Belady 1966). */
final class ReadMisses {
  private static final int NEVER = Integer.MAX_VALUE;

  private ReadMisses() {}

  /**
   * Misses of a cache that is empty at first, and into which every read brings its state. O(reads ·
   * log slots).
   */
  static int of(int[] reads, int slots) {
    int[] next = nextReads(reads);
    // Cached states by their next read; those without one are all alike.
    NavigableMap<Integer, Integer> cached = new TreeMap<>();
    Set<Integer> useless = new HashSet<>();
    int misses = 0;
    for (int i = 0; i < reads.length; i++) {
      boolean hit = cached.remove(i) != null;
      if (!hit) {
        misses++;
        makeRoom(cached, useless, slots);
      }
      if (next[i] == NEVER) {
        useless.add(reads[i]);
      } else {
        cached.put(next[i], reads[i]);
      }
    }
    return misses;
  }

  private static void makeRoom(
      NavigableMap<Integer, Integer> cached, Set<Integer> useless, int slots) {
    if (cached.size() + useless.size() < slots) {
      return;
    }
    if (useless.isEmpty()) {
      cached.pollLastEntry();
    } else {
      useless.remove(useless.iterator().next());
    }
  }

  private static int[] nextReads(int[] reads) {
    int[] next = new int[reads.length];
    Map<Integer, Integer> later = new HashMap<>();

    for (int i = reads.length - 1; i >= 0; i--) {
      next[i] = later.getOrDefault(reads[i], NEVER);
      later.put(reads[i], i);
    }
    return next;
  }
}
