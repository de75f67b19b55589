package io.cairn.lab.failure;

/** The cause that advances a flush. */
public enum FlushProgress {
  /**
   * Time: a flush completes {@code flushSeconds} after it began, whatever the job does meanwhile,
   * be it work, a checkpoint or the recovery from a failure that leaves the flush alone.
   */
  BY_TIME,

  /**
   * Progress of the job, as in Markov chains whose states are positions in the pattern: when the
   * job completes a part of the pattern or falls back to the end of one, a flush that is under way
   * is as far as that of an undisturbed job would be there. Between those it moves on with time,
   * and stands still during recoveries. A flush that completes during work that is lost later stays
   * complete.
   */
  BY_SCHEDULE
}
