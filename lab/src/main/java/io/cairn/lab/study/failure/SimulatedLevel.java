package io.cairn.lab.study.failure;

/**
 * A level that a pattern takes checkpoints at.
 *
 * @param level from 1: a checkpoint here survives failures of this level and of all lower ones. A
 *     failure of a level that the pattern does not use falls to the next higher one that it uses
 * @param checkpointSeconds for which a checkpoint stops the work here, on top of the lower levels
 * @param recoverySeconds the whole time from a failure of this level until work resumes
 * @param flushSeconds from the end of the checkpoint's last blocking part until it counts here; 0
 *     for a level whose checkpoints count at once
 * @param flushOverhead by which work is slowed while a flush to this level is under way: with
 *     flushes to several levels, a second of work takes 1 plus the sum of theirs
 */
public record SimulatedLevel(
    int level,
    double checkpointSeconds,
    double recoverySeconds,
    double flushSeconds,
    double flushOverhead) {
  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if a time is negative, NaN or infinite, or the level is not
   *     one of 1 to 64
   */
  public SimulatedLevel {
    Require.atLeast(1, "level", level);
    if (level > RecordedFailures.MOST_LEVELS) {
      throw new IllegalArgumentException(
          "level must be at most " + RecordedFailures.MOST_LEVELS + ": " + level);
    }
    Require.notNegative("checkpointSeconds of level " + level, checkpointSeconds);
    Require.notNegative("recoverySeconds of level " + level, recoverySeconds);
    Require.notNegative("flushSeconds of level " + level, flushSeconds);
    Require.notNegative("flushOverhead of level " + level, flushOverhead);
  }

  /** A level whose checkpoints count at once. */
  public static SimulatedLevel blocking(
      int level, double checkpointSeconds, double recoverySeconds) {
    return new SimulatedLevel(level, checkpointSeconds, recoverySeconds, 0, 0);
  }

  SimulatedLevel withRecoverySeconds(double seconds) {
    return new SimulatedLevel(level, checkpointSeconds, seconds, flushSeconds, flushOverhead);
  }
}
