package io.cairn.lab.study.adjoint;

/**
 * The least time of a forward and a backward pass over a cache and one slower level. Transfers run
 * beside the computation, one at a time in each direction; all times have one unit.
 *
 * @param slots states that the cache holds
 * @param down time of one transfer out of the cache
 * @param up time of one transfer into the cache
 * @param copy time of a copy between the program and the cache
 */
public record Pipe(int slots, long down, long up, long copy) {
  /**
   * The times of a run.
   *
   * @param forwardEnd when the last state is stored
   * @param total when the first step is reversed
   * @param waitedForward in stores, for a free slot
   * @param waitedBackward in restores, for a state
   */
  public record Times(long forwardEnd, long total, long waitedForward, long waitedBackward) {}

  /** Runs through all steps: O(steps). */
  public Times times(int[] forward, int[] backward) {
    int steps = forward.length;
    int below = Math.max(0, steps - slots);
    long[] sent = new long[below];
    long now = 0;
    long waitedForward = 0;
    for (int i = 0; i < steps; i++) {
      now += forward[i];
      long room = i < slots ? 0 : sent[i - slots];
      waitedForward += Math.max(0, room - now);
      now = Math.max(now, room) + copy;
      if (i < below) {
        sent[i] = Math.max(now, i == 0 ? 0 : sent[i - 1]) + down;
      }
    }
    long forwardEnd = now;
    long[] arrived = new long[steps];
    long lastArrival = 0;
    long waitedBackward = 0;
    for (int i = steps - 1; i >= 0; i--) {
      waitedBackward += Math.max(0, arrived[i] - now);
      now = Math.max(now, arrived[i]) + copy;
      if (i >= slots) {
        lastArrival = Math.max(lastArrival, now) + up;
        arrived[i - slots] = lastArrival;
      }
      now += backward[i];
    }
    return new Times(forwardEnd, now, waitedForward, waitedBackward);
  }
}
