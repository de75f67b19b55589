package io.cairn.lab.submit;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other processes do. */
final class Poll {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final long INTERVAL_NANOS = 50_000_000;

  private Poll() {}

  /** A question whose answer appears some day. */
  interface Question<T> {
    Optional<T> ask() throws IOException;
  }

  /**
   * Asks until there is an answer.
   *
   * @throws IOException after ten minutes without one
   */
  static <T> T until(String what, Question<T> question) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      Optional<T> answer = question.ask();
      if (answer.isPresent()) {
        return answer.get();
      }
      LockSupport.parkNanos(INTERVAL_NANOS);
    }
    throw new IOException("waited " + PATIENCE.toMinutes() + " minutes in vain for " + what);
  }
}
