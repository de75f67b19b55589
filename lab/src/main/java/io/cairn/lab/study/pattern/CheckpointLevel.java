package io.cairn.lab.study.pattern;

import io.cairn.core.pattern.Check;

/**
 * One level of a platform: the failures that need a checkpoint of this level, and what that
 * checkpoint costs. Immutable.
 *
 * @param name for people; unique within a {@link LevelStack}
 * @param failuresPerSecond the rate of failures that destroy every lower level and leave this one
 * @param checkpointSeconds what a checkpoint at this level adds, above zero
 * @param recoverySeconds what it takes to read it back, zero or above
 */
public record CheckpointLevel(
    String name, double failuresPerSecond, double checkpointSeconds, double recoverySeconds) {

  /** Checks every number; names the level in what it refuses. */
  public CheckpointLevel {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a level needs a name");
    }
    Check.positive(failuresPerSecond, "failuresPerSecond of level '" + name + "'");
    Check.positive(checkpointSeconds, "checkpointSeconds of level '" + name + "'");
    Check.notNegative(recoverySeconds, "recoverySeconds of level '" + name + "'");
  }

  /**
   * A level whose failures are given by the mean time between them.
   *
   * @throws IllegalArgumentException if that is not a finite number above zero, too
   */
  public static CheckpointLevel ofMtbf(
      String name, double mtbfSeconds, double checkpointSeconds, double recoverySeconds) {
    Check.positive(mtbfSeconds, "mtbfSeconds of level '" + name + "'");
    return new CheckpointLevel(name, 1 / mtbfSeconds, checkpointSeconds, recoverySeconds);
  }

  /** The mean time between failures of this level, in seconds. */
  public double mtbfSeconds() {
    return 1 / failuresPerSecond;
  }
}
