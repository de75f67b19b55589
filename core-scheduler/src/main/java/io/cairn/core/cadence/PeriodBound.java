package io.cairn.core.cadence;

/** The reason why a level's period is not longer. */
public enum PeriodBound {
  /** The group has measured nothing yet: the period is that of the start. */
  START,
  /** A longer period would waste more. */
  OPTIMUM,
  /** With a longer period, the newest checkpoint would become older than the user permits. */
  WITHIN,
  /** A shorter period would block the training for more than the stall budget. */
  STALL,
  /** The level cannot receive checkpoints faster; the bound in time is not kept. */
  DRAIN
}
