package io.cairn.cache.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for other threads and processes. */
public final class Until {
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Less than a planted defect may take, which is then noticed by a failure and no hang. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(40);

  private Until() {}

  /** Waits until something holds; fails if it does not, or if a timeout of the test comes first. */
  public static void holds(BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted() || System.nanoTime() - begin > MOST_NANOS) {
        throw new AssertionError("it never held");
      }
      LockSupport.parkNanos(NANOS);
    }
  }
}
