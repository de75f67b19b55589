package io.cairn.core.failure;

/** What moves a flush on. */
public enum FlushProgress {
  /**
   * Time: a flush completes {@code flushSeconds} after it began, whatever the job does meanwhile,
   * be it work, a checkpoint or the recovery from a failure that leaves the flush alone.
   */
  BY_TIME,

  /**
   * Progress of the pattern, as in Markov chains whose states are positions: a flush takes as many
   * whole segments as hold {@code flushSeconds} of stretched work and checkpoints, at least one and
   * at most up to the next checkpoint of its level or a higher one. It completes when the job first
   * passes the first checkpoint after the last of these; time lost to failures does not move it on.
   */
  BY_SEGMENTS
}
