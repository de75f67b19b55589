package io.cairn.spark.peer;

import java.util.concurrent.TimeUnit;

/** Counts the sinks that wait for bytes, so that closing can wait for them. Thread-safe. */
final class OpenSinks {
  private int open;

  synchronized void opened() {
    open++;
  }

  synchronized void ended() {
    open--;
    if (open == 0) {
      notifyAll();
    }
  }

  /** Waits for at most {@code millis} until none is open; whether none is. */
  synchronized boolean awaitNone(long millis) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (open > 0) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }
}
