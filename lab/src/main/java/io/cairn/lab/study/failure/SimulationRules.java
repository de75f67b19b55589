package io.cairn.lab.study.failure;

/**
 * The effects of failures and flushes on a job.
 *
 * <p>A failure of level ℓ destroys every checkpoint of a level below ℓ. The job falls back to the
 * newest checkpoint that counts at a level ≥ ℓ. The recovery puts the one that it reads back at
 * those levels, too. It ends flushes to levels ≤ ℓ, and those of checkpoints that are newer than
 * the one it falls back to; other flushes continue. All flushes of a checkpoint run side by side,
 * from the end of its blocking part at their level. Each level has at most one flush under way: a
 * checkpoint that comes while one is does not go to that level, though its blocking time is spent.
 *
 * @param exposure when failures strike
 * @param escalation what a failure during a recovery does
 * @param flushProgress what moves a flush on
 */
public record SimulationRules(
    Exposure exposure, Escalation escalation, FlushProgress flushProgress) {
  /** The usual rules: recoveries retry, and time moves flushes on. */
  public static SimulationRules of(Exposure exposure) {
    return new SimulationRules(exposure, Escalation.RETRY, FlushProgress.BY_TIME);
  }
}
