package io.cairn.engine.sharing;

import java.time.Duration;

/**
 * How a process shares.
 *
 * @param patience how long a checkpoint waits for its plan, and then for its lenders
 * @param fill how long a sender has to fill slots that it was granted
 * @param revocation how long a sender has to move what lies in slots that are wanted back
 * @param quarantineQuota slots that senders without a promise may still write to, before nothing
 *     more is lent
 * @param silence after which a peer on another machine is declared dead: what it lent is lost, and
 *     it borrows nothing more; counted in whole seconds in which this process itself runs
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
