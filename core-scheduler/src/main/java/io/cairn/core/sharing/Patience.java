package io.cairn.core.sharing;

import java.util.Arrays;

/**
 * How long to wait for answers of one kind. The deadline is {@value #MULTIPLE} times the usual
 * delay, at least the configured one, and at most {@value #MOST} times the configured one. The
 * usual delay is the median of the last {@value #REMEMBERED}. A delay counts even if it exceeded
 * its deadline, so a slow peer misses a few deadlines and then none. Thread-safe.
 */
public final class Patience {
  /*
   * The multiple
   *
   * On a machine whose processors are busy several times over, an answer takes as long as the
   * threads between take to get a processor. Single answers take several times the median.
   *
   * The bounds
   *
   * A peer that is absent answers nothing, so its silence raises no deadline. The upper bound
   * limits the time for which a peer that becomes absent after it was slow holds a training up.
   * With the default of a second it is half of the time that a lender gives to fill a lease.
   */
  private static final int MULTIPLE = 8;

  private static final int MOST = 16;
  private static final int REMEMBERED = 9;

  private final long leastNanos;
  private final long[] delays = new long[REMEMBERED];
  private int measured;

  /**
   * Without any delay measured.
   *
   * @param leastNanos the configured deadline
   */
  public Patience(long leastNanos) {
    Bounds.range("a deadline, in ns,", leastNanos, 1, Long.MAX_VALUE / MOST);
    this.leastNanos = leastNanos;
  }

  /** Records that an answer took so long, in time or late. */
  public synchronized void took(long nanos) {
    delays[measured % REMEMBERED] = Math.max(0, nanos);
    measured = measured + 1 < 2 * REMEMBERED ? measured + 1 : REMEMBERED;
  }

  /** The time to wait for the next answer. */
  public synchronized long nanos() {
    long most = MOST * leastNanos;
    long usual = usual();
    return usual > most / MULTIPLE ? most : Math.max(leastNanos, MULTIPLE * usual);
  }

  private long usual() {
    int count = Math.min(measured, REMEMBERED);
    if (count == 0) {
      return 0;
    }
    long[] sorted = Arrays.copyOf(delays, count);
    Arrays.sort(sorted);
    return sorted[count / 2];
  }
}
