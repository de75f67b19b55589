package io.cairn.lab.study.failure;

/**
 * Which parts of the time failures can strike, and when a checkpoint counts. A failure that arrives
 * in any other part passes without effect. In every model, a failure loses the part that it strikes
 * from its beginning; work since the checkpoint that the failure falls back to is done again,
 * checkpoints included.
 */
public enum Exposure {
  /**
   * Only work: checkpoints and recoveries never fail, and a checkpoint counts at all its levels
   * when the last of them is taken.
   */
  COMPUTATION_ONLY(false),

  /**
   * Work, checkpoints and recoveries. The checkpoint at each level counts as soon as it is taken,
   * so a failure during the next level's falls back to it. A failure during a recovery ends that
   * recovery where it is, and another begins; see {@link Escalation}.
   */
  EVERYWHERE(true),

  /**
   * Work and checkpoints. The checkpoint after a segment counts only when it is taken at all its
   * levels, so a failure in it loses the segment; recoveries never fail.
   */
  ATOMIC_CHAIN_EXCEPT_RECOVERY(false);

  private final boolean ofRecovery;

  Exposure(boolean ofRecovery) {
    this.ofRecovery = ofRecovery;
  }

  boolean ofRecovery() {
    return ofRecovery;
  }
}
