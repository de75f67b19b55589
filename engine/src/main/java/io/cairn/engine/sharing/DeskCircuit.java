package io.cairn.engine.sharing;

import java.util.function.LongSupplier;

/**
 * Decides whether the desk is asked for plans, so that a desk that is away does not delay every
 * checkpoint. The first failure opens the circuit. The desk is asked again after it answered some
 * message, and not before a pause has passed. The pause doubles with each further failure.
 * Thread-safe.
 */
final class DeskCircuit {
  /** With a first pause of a second, the longest is about a minute. */
  private static final int MOST_DOUBLINGS = 6;

  private final long pauseNanos;
  private final LongSupplier nanoTime;
  private int failures;

  /** When the desk last planned or failed. */
  private long changedNanos;

  private boolean heard;

  /**
   * A closed circuit.
   *
   * @param pauseNanos the first pause
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  DeskCircuit(long pauseNanos, LongSupplier nanoTime) {
    this.pauseNanos = pauseNanos;
    this.nanoTime = nanoTime;
    this.changedNanos = nanoTime.getAsLong();
  }

  /** Whether the desk may be asked for a plan now. */
  synchronized boolean allows() {
    return failures == 0 || (heard && nanoTime.getAsLong() - changedNanos >= pause());
  }

  private long pause() {
    return pauseNanos << Math.min(MOST_DOUBLINGS, failures - 1);
  }

  /** The desk answered a message of any kind. */
  synchronized void answered() {
    heard = true;
  }

  /** The desk answered with a plan in time. */
  synchronized void planned() {
    failures = 0;
    changedNanos = nanoTime.getAsLong();
  }

  /**
   * The desk did not answer a report in time, or did not receive it.
   *
   * @param askedNanos when the report was sent; one that is older than the last plan or failure
   *     does not count
   */
  synchronized void failed(long askedNanos) {
    if (askedNanos - changedNanos >= 0) {
      failures++;
      changedNanos = nanoTime.getAsLong();
      heard = false;
    }
  }
}
