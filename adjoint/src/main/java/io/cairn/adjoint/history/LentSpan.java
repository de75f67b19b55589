package io.cairn.adjoint.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Chunks of one slab that follow each other.
 *
 * @param slab its number, not negative
 * @param first chunk in the slab, not negative
 * @param chunks at least 1
 */
record LentSpan(int slab, int first, int chunks) {
  /** Checks the ranges. */
  LentSpan {
    if (slab < 0 || first < 0 || chunks < 1) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%d chunks from %d of slab %d", chunks, first, slab));
    }
  }

  /** The fewest spans of some chunks, by rising number. Sorts the chunks. O(n log n). */
  static List<LentSpan> of(int[] chunks, int chunksPerSlab) {
    Arrays.sort(chunks);
    List<LentSpan> spans = new ArrayList<>();
    for (int from = 0, end; from < chunks.length; from = end) {
      int first = chunks[from];
      for (end = from + 1; end < chunks.length; end++) {
        if (chunks[end] != first + end - from || chunks[end] % chunksPerSlab == 0) {
          break;
        }
      }
      spans.add(new LentSpan(first / chunksPerSlab, first % chunksPerSlab, end - from));
    }
    return spans;
  }
}
