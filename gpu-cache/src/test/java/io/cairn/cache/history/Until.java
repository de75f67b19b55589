package io.cairn.cache.history;

import java.util.function.BooleanSupplier;

/** Waits for other threads. */
final class Until {
  private Until() {}

  /** Waits until something holds; a timeout of the test ends the wait. */
  static void holds(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("it never held");
      }
      Thread.onSpinWait();
    }
  }
}
