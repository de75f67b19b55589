package io.cairn.cache.memory;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for other threads and processes. */
public final class Until {
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private Until() {}

  /** Waits until something holds; a timeout of the test ends the wait. */
  public static void holds(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("it never held");
      }
      LockSupport.parkNanos(NANOS);
    }
  }
}
