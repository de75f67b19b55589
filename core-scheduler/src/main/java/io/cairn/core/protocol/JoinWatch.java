package io.cairn.core.protocol;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Watches how long ranks of a group wait for other ranks until the group has resumed: reports the
 * wait, and limits the wait for a join. Not thread-safe.
 */
final class JoinWatch {
  /** Time between two reports. */
  static final long PERIOD_NANOS = Duration.ofSeconds(10).toNanos();

  private final int size;
  private final long timeoutNanos;
  private long sinceNanos;

  /**
   * A watch over a group of {@code size} ranks.
   *
   * @param timeoutNanos wait for a missing rank, after the last join
   */
  JoinWatch(int size, long timeoutNanos) {
    this.size = size;
    this.timeoutNanos = timeoutNanos;
  }

  /** A rank joined, or the epoch began: the wait starts anew. */
  void restart(long nowNanos) {
    sinceNanos = nowNanos;
  }

  /** Time until the next look: at the next report, or at the timeout if that comes first. */
  long nextNanos(long nowNanos) {
    long left = timeoutNanos - (nowNanos - sinceNanos);
    return left > 0 ? Math.min(PERIOD_NANOS, left) : PERIOD_NANOS;
  }

  /** The reason to refuse the waiting ranks, since a rank is missing for too long. */
  Optional<String> expired(Roster roster, long nowNanos) {
    Set<Integer> missing = roster.missing();
    return missing.isEmpty() || nowNanos - sinceNanos < timeoutNanos
        ? Optional.empty()
        : Optional.of(
            joined(missing, nowNanos)
                + ". The ranks of a group run at the same time, in one Spark application, in one"
                + " process, or in processes with the same setting coordinator: provide a slot for"
                + " each, and join every rank from 0 to "
                + (size - 1)
                + ". The setting joinTimeout limits this wait");
  }

  /** The wait of some ranks for others, for people; empty if no rank waits for another one. */
  Optional<String> report(Roster roster, RestoreAgreement agreement, long nowNanos) {
    Set<Integer> missing = roster.missing();
    if (!missing.isEmpty()) {
      return Optional.of(joined(missing, nowNanos));
    } else if (roster.awaitsEpoch()) {
      return Optional.of(
          "every rank has joined, but the store has not confirmed the epoch for "
              + seconds(nowNanos));
    }
    Set<Integer> silent = agreement.silent();
    return silent.isEmpty() || !roster.anyIsMember()
        ? Optional.empty()
        : Optional.of(
            "every rank has joined, but %s called neither restore nor checkpoint for %s"
                .formatted(RankSpans.of(silent), seconds(nowNanos)));
  }

  private String joined(Set<Integer> missing, long nowNanos) {
    return String.format(
        Locale.ROOT,
        "%d of %d ranks have joined, the last one %s ago; missing: %s",
        size - missing.size(),
        size,
        seconds(nowNanos),
        RankSpans.of(missing));
  }

  private String seconds(long nowNanos) {
    return Duration.ofNanos(nowNanos - sinceNanos).toSeconds() + " s";
  }
}
