package io.cairn.flush.redundancy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Subsets of the first whole numbers. */
final class Losses {
  private Losses() {}

  /** All subsets of {@code 0 .. of - 1} with at most so many elements, the empty one included. */
  static List<Set<Integer>> upTo(int most, int of) {
    List<Set<Integer>> all = new ArrayList<>();
    for (int bits = 0; bits < 1 << of; bits++) {
      if (Integer.bitCount(bits) <= most) {
        Set<Integer> subset = new TreeSet<>();
        for (int each = 0; each < of; each++) {
          if ((bits & 1 << each) != 0) {
            subset.add(each);
          }
        }
        all.add(subset);
      }
    }
    return all;
  }
}
