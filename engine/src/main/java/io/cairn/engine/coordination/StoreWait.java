package io.cairn.engine.coordination;

import io.cairn.flush.store.StoreRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One wait for a store that fails for the moment: pauses that double, until the patience is over. A
 * line in the log reports the wait at its begin, and every 10 s. The owner of the wait calls it
 * from one thread at a time.
 */
public final class StoreWait {
  private static final Logger LOG = LoggerFactory.getLogger(StoreWait.class);
  private static final long FIRST_PAUSE_MILLIS = 250;
  private static final long LONGEST_PAUSE_MILLIS = 4000;
  private static final long REPORTED_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final String who;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private final long beginNanos;
  private long pauseMillis = FIRST_PAUSE_MILLIS;
  private long reportNanos;
  private boolean failed;

  /**
   * A wait that begins now.
   *
   * @param who waits, for the log
   * @param patience when it ends
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public StoreWait(String who, Duration patience, LongSupplier nanoTime) {
    this.who = who;
    this.patience = patience;
    this.nanoTime = nanoTime;
    this.beginNanos = nanoTime.getAsLong();
    this.reportNanos = beginNanos;
  }

  /** Whether the store would fail so at each later try, too. */
  public static boolean isInVain(Throwable failure) {
    return StoreRefusedException.isIn(failure);
  }

  /**
   * Like {@link #failed(String)}; a failure that lasts ends the wait at once.
   *
   * @param failure its reason
   */
  public OptionalLong failed(IOException failure) {
    return isInVain(failure) ? OptionalLong.empty() : failed(String.valueOf(failure.getMessage()));
  }

  /**
   * The store failed again. The first failure is followed by a second try, unless the patience is
   * zero: a try that asks silent nodes, too, may alone last longer than the patience.
   *
   * @param failure its reason, with its place
   * @return the pause before the next try, in milliseconds; empty if the patience is over
   */
  public OptionalLong failed(String failure) {
    long now = nanoTime.getAsLong();
    long leftNanos = patience.toNanos() - (now - beginNanos);
    boolean failedBefore = failed;
    failed = true;
    if (leftNanos <= 0 && (failedBefore || patience.isZero())) {
      return OptionalLong.empty();
    }
    if (now - reportNanos >= 0) {
      reportNanos = now + REPORTED_EVERY_NANOS;
      LOG.warn(
          "{} has waited {} s for a store that fails, and tries it for {} s and twice at least: {}",
          who,
          TimeUnit.NANOSECONDS.toSeconds(now - beginNanos),
          patience.toSeconds(),
          failure);
    }
    long pause =
        leftNanos <= 0
            ? FIRST_PAUSE_MILLIS
            : Math.min(pauseMillis, TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1);
    pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    return OptionalLong.of(pause);
  }
}
