package io.cairn.core.goodput;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Time by cause. Immutable.
 *
 * @param nanos above 0, by cause; a cause without time is absent
 */
public record CauseTimes(Map<Cause, Long> nanos) {
  /** No time. */
  public static final CauseTimes NONE = new CauseTimes(Map.of());

  /**
   * Copies the map, and drops causes without time.
   *
   * @throws IllegalArgumentException if a time is negative
   */
  public CauseTimes {
    Map<Cause, Long> copy = new EnumMap<>(Cause.class);
    nanos.forEach(
        (cause, time) -> {
          if (time < 0) {
            throw new IllegalArgumentException(cause + " took " + time + " ns");
          } else if (time > 0) {
            copy.put(cause, time);
          }
        });
    nanos = Collections.unmodifiableMap(copy);
  }

  /** The time of one cause. */
  public long of(Cause cause) {
    return nanos.getOrDefault(cause, 0L);
  }

  /** The time of all causes. */
  public long total() {
    return nanos.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The sum of both. */
  public CauseTimes plus(CauseTimes other) {
    Map<Cause, Long> sum = new EnumMap<>(Cause.class);
    sum.putAll(nanos);
    other.nanos.forEach((cause, time) -> sum.merge(cause, time, Long::sum));
    return new CauseTimes(sum);
  }

  /** The part of one cause; NaN without any time. */
  public double part(Cause cause) {
    return (double) of(cause) / total();
  }

  /**
   * The effective training time ratio: productive time by wall-clock time, waits for a restart
   * included (Kokolis et al., arXiv 2410.21680). NaN without any time.
   */
  public double ettr() {
    return part(Cause.TRAINING);
  }
}
