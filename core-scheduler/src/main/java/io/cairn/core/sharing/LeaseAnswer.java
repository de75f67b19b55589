package io.cairn.core.sharing;

import io.cairn.core.codec.Clipped;
import java.util.List;

/** A message of a lender's {@link LeaseBook} to a borrower. May be lost; requests are repeated. */
public sealed interface LeaseAnswer {
  /** The lease. */
  LeaseId id();

  /**
   * Grants the lease: the borrower may write these slots and chooses a chunk for each position.
   *
   * @param slots at least one, perhaps fewer than were requested
   * @param fillNanos the promise ends so long after the request was first sent
   */
  record Granted(LeaseId id, List<Integer> slots, long fillNanos) implements LeaseAnswer {
    /** Copies the list. */
    public Granted {
      slots = Bounds.numbers("slots", slots);
      Bounds.range("the number of granted slots", slots.size(), 1, Bounds.MOST_CHUNKS);
      Bounds.range("the time to fill a lease, in ns,", fillNanos, 1, Long.MAX_VALUE / 4);
    }
  }

  /** Refuses the lease; the request still ends in a release. */
  record Refused(LeaseId id, @Clipped String reason) implements LeaseAnswer {}

  /** These chunks are verified and held. */
  record Acknowledged(LeaseId id, List<Integer> positions) implements LeaseAnswer {
    /** Copies the list. */
    public Acknowledged {
      positions = Bounds.numbers("positions", positions);
    }
  }

  /** These chunks are not held, and their slots wait to be released. */
  record Rejected(LeaseId id, List<Integer> positions, @Clipped String reason)
      implements LeaseAnswer {
    /** Copies the list. */
    public Rejected {
      positions = Bounds.numbers("positions", positions);
    }
  }

  /** The promise for these ended early: not to be filled any more, or not held any more. */
  record Revoked(LeaseId id, List<Integer> positions, @Clipped String reason)
      implements LeaseAnswer {
    /** Copies the list. */
    public Revoked {
      positions = Bounds.numbers("positions", positions);
    }
  }

  /** The lease is over. */
  record Released(LeaseId id) implements LeaseAnswer {}
}
