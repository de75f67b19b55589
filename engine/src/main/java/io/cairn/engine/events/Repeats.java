package io.cairn.engine.events;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets warnings of a trouble pass at once when it begins, and less and less often while it lasts.
 * An outage of a store would otherwise fill a disk with one line per checkpoint. Thread-safe.
 */
public final class Repeats {
  /** The kind whose last warning is the oldest is forgotten first. */
  static final int MOST_KINDS = 10_000;

  private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(10);
  private static final long LONGEST_PAUSE = TimeUnit.MINUTES.toNanos(10);

  private final LongSupplier nanoTime;

  /** Guarded by itself, with its values; in the order of the last warnings. */
  private final Map<Object, Pause> pauses =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Pause> eldest) {
          return size() > MOST_KINDS;
        }
      };

  /** The time until a kind is written again. */
  private static final class Pause {
    private long nextNanos;
    private long lengthNanos;
    private long seenNanos;
    private long newest = -1;
    private int suppressed;

    /** The number of warnings since the last line; empty if this one is not to be written. */
    Optional<Integer> pass(long nowNanos, long number) {
      boolean repeated = number == newest;
      boolean fresh = lengthNanos == 0;
      seenNanos = nowNanos;
      newest = Math.max(newest, number);
      if (repeated) {
        return Optional.empty();
      }
      if (!fresh && nowNanos - nextNanos < 0) {
        suppressed++;
        return Optional.empty();
      }
      lengthNanos = fresh ? FIRST_PAUSE : Math.min(2 * lengthNanos, LONGEST_PAUSE);
      nextNanos = nowNanos + lengthNanos;
      int before = suppressed;
      suppressed = 0;
      return Optional.of(before);
    }
  }

  /**
   * Nothing was written yet.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public Repeats(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Asks for one warning.
   *
   * @param kind equal for warnings of the same trouble
   * @return a remark for the end of the line: the number of warnings that were not written since
   *     the last line, if there were any; empty if this one is not to be written. The number is
   *     lost with a trouble that is forgotten
   */
  public Optional<String> pass(Object kind) {
    return pass(kind, -2);
  }

  /**
   * Like {@link #pass(Object)}; of warnings with one number, not negative, the first one counts.
   */
  Optional<String> pass(Object kind, long number) {
    Optional<Integer> before;
    synchronized (pauses) {
      long nowNanos = nanoTime.getAsLong();
      forgetEnded(nowNanos);
      before = pauses.computeIfAbsent(kind, k -> new Pause()).pass(nowNanos, number);
    }
    return before.map(
        count -> count == 0 ? "" : " (and " + count + " more since the last such line)");
  }

  /** A trouble that did not come for the longest pause has ended; its next warning begins anew. */
  private void forgetEnded(long nowNanos) {
    Iterator<Pause> eldestFirst = pauses.values().iterator();
    while (eldestFirst.hasNext() && nowNanos - eldestFirst.next().seenNanos > LONGEST_PAUSE) {
      eldestFirst.remove();
    }
  }

  /** The number of kinds that are remembered. */
  int kinds() {
    synchronized (pauses) {
      return pauses.size();
    }
  }
}
