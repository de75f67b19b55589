package io.cairn.core.protocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Names ranks, for people. */
final class RankSpans {
  private RankSpans() {}

  /**
   * Such as "rank 3" or "ranks 1, 4-7".
   *
   * @param sorted at least one
   */
  static String of(Collection<Integer> sorted) {
    List<String> spans = new ArrayList<>();
    int first = -1;
    int last = -1;
    for (int rank : sorted) {
      if (first >= 0 && rank > last + 1) {
        spans.add(span(first, last));
        first = rank;
      }
      first = first < 0 ? rank : first;
      last = rank;
    }
    spans.add(span(first, last));
    return (sorted.size() == 1 ? "rank " : "ranks ") + String.join(", ", spans);
  }

  private static String span(int first, int last) {
    return first == last ? Integer.toString(first) : first + "-" + last;
  }
}
