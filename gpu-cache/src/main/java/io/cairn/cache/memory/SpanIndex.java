package io.cairn.cache.memory;

import java.util.Arrays;
import java.util.List;

/** Where each of several spans begins, if they follow each other without gaps. Immutable. */
final class SpanIndex {
  /** One more than there are spans; the last is the length of all. */
  private final long[] starts;

  /** Spans of at least one byte each. */
  SpanIndex(List<? extends CaptureSource> spans) {
    starts = new long[spans.size() + 1];
    for (int span = 0; span < spans.size(); span++) {
      starts[span + 1] = Math.addExact(starts[span], spans.get(span).bytes());
    }
  }

  /** Bytes of all spans. */
  long bytes() {
    return starts[starts.length - 1];
  }

  /** The number of the span that has a byte. O(log spans). */
  int at(long offset) {
    int found = Arrays.binarySearch(starts, offset);
    return found >= 0 ? found : -found - 2;
  }

  /** Where a span begins. */
  long start(int span) {
    return starts[span];
  }
}
