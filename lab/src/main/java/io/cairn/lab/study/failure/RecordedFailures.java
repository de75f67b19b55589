package io.cairn.lab.study.failure;

import java.util.List;

/**
 * Failures that happened once, or were written down by hand. Every run replays them from their
 * beginning, and none follows the last; so all runs are equal, and one is enough. A run of many
 * patterns is what takes in a long record.
 *
 * @param failures in order of time
 */
public record RecordedFailures(List<Failure> failures) implements FailureSource {
  /** More levels than any platform has; a greater number is a misread column. */
  static final int MOST_LEVELS = 64;

  /**
   * One failure.
   *
   * @param seconds since the start of the record
   * @param level 1 to 64
   */
  public record Failure(double seconds, int level) {
    /**
     * Checks both.
     *
     * @throws IllegalArgumentException if the moment is negative, NaN or infinite, or the level is
     *     not one of 1 to 64
     */
    public Failure {
      Require.notNegative("seconds", seconds);
      if (level < 1 || level > MOST_LEVELS) {
        throw new IllegalArgumentException(
            "level must be one of 1 to " + MOST_LEVELS + ": " + level);
      }
    }
  }

  /**
   * Checks the order.
   *
   * @throws IllegalArgumentException if a failure is earlier than the one before it
   */
  public RecordedFailures {
    failures = List.copyOf(failures);
    for (int i = 1; i < failures.size(); i++) {
      if (failures.get(i).seconds() < failures.get(i - 1).seconds()) {
        throw new IllegalArgumentException(
            "failure " + (i + 1) + " is earlier than the one before it: " + failures.get(i));
      }
    }
  }

  /** The highest level that occurs; 1 if nothing does. */
  @Override
  public int levels() {
    return failures.stream().mapToInt(Failure::level).max().orElse(1);
  }
}
