package io.cairn.lab.study.pattern;

import io.cairn.core.pattern.Check;
import java.util.ArrayList;
import java.util.List;

/**
 * A pattern that a job repeats: segments of equal length, each ended by a checkpoint of the lowest
 * level in use. Every so many of those are followed by one of the next level, and so on.
 * Checkpoints of all levels in use end the last segment. Immutable.
 *
 * @param subset numbers of the levels in use, counted from 1, rising
 * @param counts for each level in use but the highest, its checkpoints per checkpoint of the next
 *     higher one in use
 * @param lengthSeconds the work of one pattern, without checkpoints and failures
 */
public record CheckpointPattern(List<Integer> subset, List<Integer> counts, double lengthSeconds) {
  /** More segments than any job has iterations between two of its dearest checkpoints. */
  private static final int MAX_SEGMENTS = 100_000_000;

  /** Checks that the counts fit the subset. */
  public CheckpointPattern {
    subset = List.copyOf(subset);
    counts = List.copyOf(counts);
    segments(counts, subset.size());
    Check.positive(lengthSeconds, "lengthSeconds of a pattern");
  }

  /** The number of segments. */
  public int segments() {
    return segments(counts, subset.size());
  }

  /** The work of one segment. */
  public double segmentSeconds() {
    return lengthSeconds / segments();
  }

  /** For each level in use, its checkpoints per pattern: the products of the counts above it. */
  public List<Integer> totals() {
    List<Integer> totals = new ArrayList<>();
    int total = 1;
    totals.add(total);
    for (int index = counts.size() - 1; index >= 0; index--) {
      total *= counts.get(index);
      totals.add(0, total);
    }
    return totals;
  }

  /**
   * The highest level that is written after a segment.
   *
   * @param segment counted from 1
   * @return the number of the level, as in {@link #subset}
   */
  public int levelAfter(int segment) {
    int period = 1;
    int index = 0;
    while (index < counts.size() && segment % (period * counts.get(index)) == 0) {
      period *= counts.get(index);
      index++;
    }
    return subset.get(index);
  }

  /**
   * The segments of a pattern: the product of its counts.
   *
   * @throws IllegalArgumentException if the counts do not fit the levels, or have no such product
   */
  static int segments(List<Integer> counts, int levels) {
    if (counts.size() != levels - 1) {
      throw new IllegalArgumentException(
          "a pattern of " + levels + " levels needs " + (levels - 1) + " counts, not " + counts);
    }
    long segments = 1;
    for (int count : counts) {
      segments *= Check.atLeastOne(count, "a count of checkpoints per next-higher level");
      if (segments > MAX_SEGMENTS) {
        throw new IllegalArgumentException(
            "counts " + counts + " make more than " + MAX_SEGMENTS + " segments per pattern");
      }
    }
    return (int) segments;
  }
}
