package io.cairn.lab.study.failure;

/** The effect of a failure during a recovery, where recoveries are exposed to failures. */
public enum Escalation {
  /** The recovery begins again, at the higher of its own level and the failure's. */
  RETRY,

  /**
   * A failure of a lower level than the recovery's begins it again. Any other shows that its level
   * is not reliable. So the next higher level recovers, or that of the failure if it is higher
   * still; the highest level begins again.
   */
  NEXT_LEVEL;

  /** The index of the level that recovers next. */
  int next(int recovering, int struck, int highest) {
    if (this == RETRY || struck < recovering) {
      return Math.max(recovering, struck);
    }
    return Math.min(highest, Math.max(recovering + 1, struck));
  }
}
