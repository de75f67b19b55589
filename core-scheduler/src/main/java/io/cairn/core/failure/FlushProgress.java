package io.cairn.core.failure;

/** What moves a flush on. */
public enum FlushProgress {
  /**
   * Time: a flush completes {@code flushSeconds} after it began, whatever the job does meanwhile,
   * be it work, a checkpoint or the recovery from a failure that leaves the flush alone.
   */
  BY_TIME,

  /**
   * Progress of the job, as in Markov chains whose states are positions in the pattern: a flush
   * completes where it would if no failure had occurred since it began, or when work that is lost
   * later gets there. A failure that leaves the flush alone turns it back to where it was when the
   * checkpoint was taken that the job falls back to, and it stands still during recoveries.
   */
  BY_SCHEDULE
}
