package io.cairn.core.failure;

/**
 * What failures and flushes do to a job.
 *
 * <p>A failure of level ℓ falls back to the newest checkpoint that counts at a level ≥ ℓ and
 * destroys every checkpoint of a level below ℓ; the recovery puts the one that it reads back at
 * those levels, too. It ends flushes to levels ≤ ℓ, and those of checkpoints that are newer than
 * the one it falls back to; other flushes go on. All flushes of a checkpoint run side by side, from
 * the end of its blocking part at their level. Each level has at most one flush under way: a
 * checkpoint that comes while one is does not go to that level, though its blocking time is spent.
 *
 * @param exposure when failures strike
 * @param escalation what a failure during a recovery does
 * @param flushProgress what moves a flush on
 * @param flushOverhead by which work is slowed while at least one flush is under way: a second of
 *     work then takes 1 + this
 */
public record SimulationRules(
    Exposure exposure, Escalation escalation, FlushProgress flushProgress, double flushOverhead) {
  /**
   * Checks the overhead.
   *
   * @throws IllegalArgumentException if it is negative, NaN or infinite
   */
  public SimulationRules {
    Require.notNegative("the flush overhead", flushOverhead);
  }

  /** Rules for patterns without flushes. */
  public static SimulationRules blocking(Exposure exposure) {
    return new SimulationRules(exposure, Escalation.RETRY, FlushProgress.BY_TIME, 0);
  }
}
