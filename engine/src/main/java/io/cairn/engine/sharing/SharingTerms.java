package io.cairn.engine.sharing;

import java.time.Duration;

/**
 * The terms on which a process shares.
 *
 * @param patience how long a checkpoint waits at least for its plan, and then for its lenders; see
 *     {@link io.cairn.core.sharing.Patience}
 * @param fill the time that a borrower has to fill granted slots
 * @param revocation the time that a borrower has to move its chunks out of revoked slots
 * @param quarantineQuota slots in quarantine at which nothing more is lent, while the cache has all
 *     slots that it can have; with fewer slots it is so much less. Or {@link #QUARTER_OF_THE_CACHE}
 * @param silence after which a peer on another machine is declared dead: chunks there are lost, and
 *     it gets no further lease; counted in whole rounds in which this process itself runs
 * @param round the time between two rounds of reports to the desk and greetings of peers
 * @param notice how long a process that ends waits for borrowers to move their chunks
 */
public record SharingTerms(
    Duration patience,
    Duration fill,
    Duration revocation,
    int quarantineQuota,
    Duration silence,
    Duration round,
    Duration notice) {
  /** The quota of a cache whose size is not known yet. */
  public static final int QUARTER_OF_THE_CACHE = 0;

  private static final Duration SILENCE = Duration.ofSeconds(10);
  private static final Duration ROUND = Duration.ofSeconds(1);
  private static final Duration NOTICE = Duration.ofSeconds(2);
  private static final int MOST_ROUNDS = 1_000_000;

  /** With a round each second, and two seconds of notice. */
  public SharingTerms(
      Duration patience,
      Duration fill,
      Duration revocation,
      int quarantineQuota,
      Duration silence) {
    this(patience, fill, revocation, quarantineQuota, silence, ROUND, NOTICE);
  }

  /** With ten seconds of silence, too. */
  public SharingTerms(Duration patience, Duration fill, Duration revocation, int quarantineQuota) {
    this(patience, fill, revocation, quarantineQuota, SILENCE);
  }

  /** Checks that each time is positive. */
  public SharingTerms {
    for (Duration time : new Duration[] {patience, fill, revocation, silence, round, notice}) {
      if (time.isZero() || time.isNegative()) {
        throw new IllegalArgumentException(
            "a time of sharing is " + time + ": it must be positive");
      }
    }
    if (quarantineQuota < 0) {
      throw new IllegalArgumentException("the quota of the quarantine is " + quarantineQuota);
    }
  }

  /** The quota of a cache that can have so many slots. */
  int quotaOf(int slots) {
    return quarantineQuota == QUARTER_OF_THE_CACHE ? Math.max(1, slots / 4) : quarantineQuota;
  }

  /** The greetings without an answer after which a peer on another machine is declared dead. */
  int roundsOfSilence() {
    return (int) Math.max(1, Math.min(MOST_ROUNDS, silence.dividedBy(round)));
  }
}
