package io.cairn.lab.soak;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The waits of a run's blows.
 *
 * @param over whether the jobs have ended
 */
record SoakWaits(BooleanSupplier over) {
  private static final long POLL_NANOS = 50_000_000;

  /** Waits until something is so, not after the jobs have ended; returns whether it is. */
  boolean await(BooleanSupplier wanted, long seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!wanted.getAsBoolean()) {
      if (System.nanoTime() > end || over.getAsBoolean()) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  /** Waits for so long. */
  static void pause(int millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
