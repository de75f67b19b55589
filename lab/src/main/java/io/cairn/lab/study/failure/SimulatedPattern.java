package io.cairn.lab.study.failure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A sequence of work and checkpoints that a job repeats. It ends with a checkpoint of its highest
 * level.
 *
 * @param levels that the pattern uses, in rising order
 * @param segments in the order of time
 */
public record SimulatedPattern(List<SimulatedLevel> levels, List<Segment> segments) {
  private static final int MOST_SEGMENTS = 1_000_000;

  /**
   * Checks the shape.
   *
   * @throws IllegalArgumentException if levels or segments are missing, levels do not rise, a
   *     segment ends with an unused level, or the last not with the highest
   */
  public SimulatedPattern {
    levels = List.copyOf(levels);
    segments = List.copyOf(segments);
    Require.notEmpty("the list of levels", levels.size());
    Require.notEmpty("the list of segments", segments.size());
    for (int i = 1; i < levels.size(); i++) {
      if (levels.get(i).level() <= levels.get(i - 1).level()) {
        throw new IllegalArgumentException("levels do not rise: " + numbers(levels));
      }
    }
    for (Segment segment : segments) {
      if (!numbers(levels).contains(segment.level())) {
        throw new IllegalArgumentException(
            "a segment ends with level " + segment.level() + ", used are " + numbers(levels));
      }
    }
    int top = levels.get(levels.size() - 1).level();
    if (segments.get(segments.size() - 1).level() != top) {
      throw new IllegalArgumentException(
          "the last segment does not end with the highest level, " + top);
    }
  }

  /**
   * A pattern of equal segments with evenly nested checkpoints.
   *
   * @param levels in rising order
   * @param counts how many checkpoints of each level but the highest there are per checkpoint of
   *     the next higher one
   * @param workSeconds of the whole pattern
   * @throws IllegalArgumentException as the constructor; also if a count is below 1, there is not
   *     one for each level but the highest, or there are more than a million segments
   */
  public static SimulatedPattern nested(
      List<SimulatedLevel> levels, List<Integer> counts, double workSeconds) {
    if (counts.size() != levels.size() - 1) {
      throw new IllegalArgumentException(
          counts.size() + " counts for " + levels.size() + " levels; one fewer than levels needed");
    }
    long number = 1;
    for (int count : counts) {
      number *= Require.atLeast(1, "a count", count);
      if (number > MOST_SEGMENTS) {
        throw new IllegalArgumentException("more than " + MOST_SEGMENTS + " segments: " + counts);
      }
    }
    List<Segment> segments = new ArrayList<>();
    for (int i = 1; i <= number; i++) {
      segments.add(new Segment(workSeconds / number, levels.get(rank(i, counts)).level()));
    }
    return new SimulatedPattern(levels, segments);
  }

  /** The index of the highest level due after the i-th segment. */
  private static int rank(int i, List<Integer> counts) {
    int rank = 0;
    int left = i;
    while (rank < counts.size() && left % counts.get(rank) == 0) {
      left /= counts.get(rank);
      rank++;
    }
    return rank;
  }

  /**
   * The same pattern, where a recovery reads back every level: a recovery of a level takes its own
   * {@code recoverySeconds} and those of all lower levels that the pattern uses.
   */
  public SimulatedPattern withCumulativeRecovery() {
    List<SimulatedLevel> cumulative = new ArrayList<>();
    double sum = 0;
    for (SimulatedLevel level : levels) {
      sum += level.recoverySeconds();
      cumulative.add(level.withRecoverySeconds(sum));
    }
    return new SimulatedPattern(cumulative, segments);
  }

  /** The work in one pattern, in seconds. */
  public double workSeconds() {
    return segments.stream().mapToDouble(Segment::workSeconds).sum();
  }

  /** The position in {@link #levels} of the lowest level that survives failures of a level. */
  int indexSurviving(int failureLevel) {
    int index = Collections.binarySearch(numbers(levels), failureLevel);
    return index < 0 ? -index - 1 : index;
  }

  /** How many levels, from the lowest, the checkpoint after a segment is taken at. */
  int chainLength(int segment) {
    return indexSurviving(segments.get(segment).level()) + 1;
  }

  /**
   * The time for which checkpoints at the levels from one index to before another stop the work.
   */
  double chainSeconds(int from, int to) {
    double sum = 0;
    for (SimulatedLevel level : levels.subList(from, to)) {
      sum += level.checkpointSeconds();
    }
    return sum;
  }

  private static List<Integer> numbers(List<SimulatedLevel> levels) {
    Integer[] numbers = levels.stream().map(SimulatedLevel::level).toArray(Integer[]::new);
    return Arrays.asList(numbers);
  }
}
