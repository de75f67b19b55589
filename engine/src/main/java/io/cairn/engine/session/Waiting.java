package io.cairn.engine.session;

import java.util.function.LongSupplier;

/** The time that a training waits for one capture beside it. Thread-safe. */
final class Waiting {
  /** No time. */
  static final Waiting NONE = new Waiting(() -> 0);

  private final LongSupplier nanoTime;
  private long sumNanos;
  private long sinceNanos;
  private boolean now;

  Waiting(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The training begins to wait. */
  synchronized void begin() {
    sinceNanos = nanoTime.getAsLong();
    now = true;
  }

  /** It goes on; returns how long it waited. */
  synchronized long end() {
    long waited = nanoTime.getAsLong() - sinceNanos;
    sumNanos += waited;
    now = false;
    return waited;
  }

  /** The time so far. */
  synchronized long nanos() {
    return sumNanos + (now ? nanoTime.getAsLong() - sinceNanos : 0);
  }
}
