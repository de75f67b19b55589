package io.cairn.engine.nodes;

import io.cairn.engine.coordination.Waits;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps the mean rate of transfers below a bound, that of all threads together. Time in which
 * nothing is transferred earns no credit beyond one second. Thread-safe.
 */
final class Pace {
  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long bytesPerSecond;
  private final LongSupplier nanoTime;
  private final Waits waits;

  /** When the bytes so far are paid for. */
  private long paidAt;

  /**
   * A bound.
   *
   * @param bytesPerSecond 0 for none
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @param waits of the threads
   */
  Pace(long bytesPerSecond, LongSupplier nanoTime, Waits waits) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoTime = nanoTime;
    this.waits = waits;
    this.paidAt = nanoTime.getAsLong();
  }

  /** Bytes were transferred: waits until they are paid for, or the thread is interrupted. */
  void passed(int bytes) {
    long nanos = owed(bytes);
    if (nanos == 0) {
      return;
    }
    try {
      waits.sleep(TimeUnit.NANOSECONDS.toMillis(nanos) + 1); // a wait that is too long is credit
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes bytes into account; how long the thread has to wait, in nanoseconds. */
  synchronized long owed(int bytes) {
    if (bytesPerSecond == 0) {
      return 0;
    }
    long now = nanoTime.getAsLong();
    if (now - paidAt > NANOS) {
      paidAt = now - NANOS;
    }
    paidAt += (long) ((double) bytes * NANOS / bytesPerSecond);
    return Math.max(0, paidAt - now);
  }
}
