package io.cairn.core.pattern;

/**
 * One level of a system that goes on computing while its checkpoints are flushed. Immutable.
 *
 * @param name for people
 * @param failuresPerSecond the rate of failures that destroy every lower level and leave this one
 * @param blockingSeconds how long a checkpoint at this level stops the application, beyond what the
 *     lower levels of the same checkpoint do
 * @param flushSeconds from the end of that stop until the checkpoint counts at this level
 * @param overheadFactor by what part computation is slower while a flush to this level runs, α
 * @param recoverySeconds to read a checkpoint of this level back
 */
public record NonBlockingLevel(
    String name,
    double failuresPerSecond,
    double blockingSeconds,
    double flushSeconds,
    double overheadFactor,
    double recoverySeconds) {

  /** Checks every number; names the level in what it refuses. */
  public NonBlockingLevel {
    String of = " of level '" + name + "'";
    Check.positive(failuresPerSecond, "failuresPerSecond" + of);
    Check.notNegative(blockingSeconds, "blockingSeconds" + of);
    Check.notNegative(flushSeconds, "flushSeconds" + of);
    Check.notNegative(overheadFactor, "overheadFactor" + of);
    Check.notNegative(recoverySeconds, "recoverySeconds" + of);
  }

  /** This level with the failures of one that is left out added. */
  NonBlockingLevel plusFailures(double perSecond) {
    return new NonBlockingLevel(
        name,
        failuresPerSecond + perSecond,
        blockingSeconds,
        flushSeconds,
        overheadFactor,
        recoverySeconds);
  }
}
