package io.cairn.core.goodput;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The account of one rank up to a moment. Immutable, and bounded.
 *
 * @param asOfMillis that moment, in milliseconds since 1970, by the clock of the rank's machine
 * @param furthest the greatest iteration that was computed; -1 if there is none
 * @param usualNanos the usual time of an iteration while no checkpoint is on its way; 0 if unknown
 * @param ended whether the training ended in order: time that follows is not the job's
 * @param epochs times by epoch; those of epochs before the newest {@value #MOST_EPOCHS} are summed
 *     up under {@link #OLDER}
 */
public record GoodputRecord(
    long asOfMillis,
    long furthest,
    long usualNanos,
    boolean ended,
    SortedMap<Long, CauseTimes> epochs) {
  /** Epochs that are kept apart. */
  public static final int MOST_EPOCHS = 6;

  /** The key of all older epochs together: no epoch has this number. */
  public static final long OLDER = 0;

  /**
   * Copies the map, and sums older epochs up.
   *
   * @throws IllegalArgumentException if a number is less than it can be
   */
  public GoodputRecord {
    if (furthest < -1 || usualNanos < 0) {
      throw new IllegalArgumentException(
          "iteration " + furthest + " of usually " + usualNanos + " ns");
    }
    SortedMap<Long, CauseTimes> copy = new TreeMap<>(epochs);
    while (copy.tailMap(OLDER + 1).size() > MOST_EPOCHS) {
      CauseTimes oldest = copy.remove(copy.tailMap(OLDER + 1).firstKey());
      copy.merge(OLDER, oldest, CauseTimes::plus);
    }
    epochs = Collections.unmodifiableSortedMap(copy);
  }

  /** The times of all epochs. */
  public CauseTimes total() {
    return epochs.values().stream().reduce(CauseTimes.NONE, CauseTimes::plus);
  }
}
