package io.cairn.core.pattern;

/**
 * One level of a system that computes while its checkpoints are flushed. Immutable.
 *
 * @param name for people
 * @param failuresPerSecond the rate of failures that destroy every lower level and leave this one
 * @param blockingSeconds the time for which a checkpoint at this level blocks the application,
 *     besides the blocking times of lower levels
 * @param flushSeconds from the end of the blocking until the checkpoint counts at this level
 * @param overheadFactor the part by which computation is slower during a flush to this level, α
 * @param recoverySeconds to read a checkpoint of this level back
 */
public record NonBlockingLevel(
    String name,
    double failuresPerSecond,
    double blockingSeconds,
    double flushSeconds,
    double overheadFactor,
    double recoverySeconds) {

  /** Checks every number; messages name the level. */
  public NonBlockingLevel {
    String of = " of level '" + name + "'";
    Check.positive(failuresPerSecond, "failuresPerSecond" + of);
    Check.notNegative(blockingSeconds, "blockingSeconds" + of);
    Check.notNegative(flushSeconds, "flushSeconds" + of);
    Check.notNegative(overheadFactor, "overheadFactor" + of);
    Check.notNegative(recoverySeconds, "recoverySeconds" + of);
  }
}
