package io.cairn.lab.study.failure;

/** The cause that advances a flush. */
public enum FlushProgress {
  /**
   * Time: a flush completes {@code flushSeconds} after it began. The job may work, checkpoint or
   * recover meanwhile, as long as no failure ends the flush.
   */
  BY_TIME,

  /**
   * Progress of the job, as in Markov chains whose states are positions in the pattern. When the
   * job completes a part of the pattern or falls back to the end of one, a flush under way jumps.
   * It is then as far as that of an undisturbed job would be there. Between those it moves on with
   * time, and stands still during recoveries. A flush that completes during work that is lost later
   * stays complete.
   */
  BY_SCHEDULE
}
