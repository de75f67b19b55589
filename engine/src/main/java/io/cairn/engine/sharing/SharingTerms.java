package io.cairn.engine.sharing;

import java.time.Duration;

/**
 * The terms on which a process shares.
 *
 * @param patience how long a checkpoint waits at least for its plan, and then for its lenders; see
 *     {@link io.cairn.core.sharing.Patience}
 * @param fill the time that a borrower has to fill granted slots
 * @param revocation the time that a borrower has to move its chunks out of revoked slots
 * @param quarantineQuota slots in quarantine at which nothing more is lent
 * @param silence after which a peer on another machine is declared dead: chunks there are lost, and
 *     it gets no further lease; counted in whole seconds in which this process itself runs
 */
public record SharingTerms(
    Duration patience, Duration fill, Duration revocation, int quarantineQuota, Duration silence) {
  private static final Duration SILENCE = Duration.ofSeconds(10);

  /** With ten seconds of silence. */
  public SharingTerms(Duration patience, Duration fill, Duration revocation, int quarantineQuota) {
    this(patience, fill, revocation, quarantineQuota, SILENCE);
  }

  /** Checks that each is positive. */
  public SharingTerms {
    for (Duration time : new Duration[] {patience, fill, revocation, silence}) {
      if (time.isZero() || time.isNegative()) {
        throw new IllegalArgumentException(
            "a time of sharing is " + time + ": it must be positive");
      }
    }
    if (quarantineQuota < 1) {
      throw new IllegalArgumentException("the quota of the quarantine is " + quarantineQuota);
    }
  }
}
