package io.cairn.core.sharing;

import java.util.List;

/** An event of a {@link LeaseBook}: a borrower's request, or one of its own process. */
public sealed interface LeaseEvent permits LeaseRequest, LeaseEvent.Local {
  /** An event of the lender's own process: never lost, never doubled. */
  sealed interface Local extends LeaseEvent {}

  /**
   * A borrower's request, with slots that the cache lends for it. Slots that the lease does not
   * take are returned at once.
   */
  record Offer(LeaseRequest.Acquire request, List<Integer> slots) implements Local {
    /** Copies the list. */
    public Offer {
      slots = Bounds.numbers("slots", slots);
    }
  }

  /**
   * The trainer wants so many slots back, including those that it waits for already. The book
   * returns them as soon as it can: first slots of chunks that have a copy at NODE, then slots of
   * other held chunks, which are moved or dropped by the deadline. Slots that a borrower still
   * writes come last, since only the borrower can release them.
   */
  record TakeBack(int count, long deadlineNanos) implements Local {
    /** Checks the range. */
    public TakeBack {
      Bounds.range("the number of slots", count, 1, Integer.MAX_VALUE);
    }
  }

  /**
   * Ends one {@link LeaseAction.Verify}. Each of its positions is whole, which has its checksum, or
   * damaged. An unreadable position is damaged.
   */
  record Verified(LeaseId id, List<Integer> whole, List<Integer> damaged) implements Local {
    /** Copies the lists. */
    public Verified {
      whole = Bounds.numbers("positions", whole);
      damaged = Bounds.numbers("positions", damaged);
    }
  }

  /**
   * Ends one {@link LeaseAction.MoveOrDrop}. The dropped positions return at once; the borrower
   * releases the moved ones.
   */
  record Moved(LeaseId id, List<Integer> dropped) implements Local {
    /** Copies the list. */
    public Moved {
      dropped = Bounds.numbers("positions", dropped);
    }
  }

  /** These chunks have a verified copy at NODE or above. */
  record Flushed(LeaseId id, List<Integer> positions) implements Local {
    /** Copies the list. */
    public Flushed {
      positions = Bounds.numbers("positions", positions);
    }
  }

  /** Pins the held chunks of a lease for a reader; answered by {@link LeaseAction.Read}. */
  record Pin(LeaseId id) implements Local {}

  /** Ends one pin that was answered with chunks. */
  record Unpin(LeaseId id) implements Local {}

  /** The borrower's process is proven dead: none of its writes can land any more. */
  record BorrowerDead(String holder) implements Local {}

  /**
   * The borrower's process answered a greeting, so it runs. If it was only declared dead, it is
   * granted new leases from now on. Its earlier leases stay over.
   */
  record BorrowerGreeted(String holder) implements Local {}

  /** Time has passed. */
  record Clock() implements Local {}
}
