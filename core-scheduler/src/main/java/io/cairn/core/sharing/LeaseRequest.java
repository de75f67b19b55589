package io.cairn.core.sharing;

import java.util.List;

/**
 * A message of a borrower to a lender's {@link LeaseBook}. It may arrive twice, late, in another
 * order or not at all; the borrower repeats it until it is answered.
 */
public sealed interface LeaseRequest extends LeaseEvent {
  /** The lease. */
  LeaseId id();

  /**
   * Requests slots; answered by Granted, perhaps with fewer, or Refused.
   *
   * @param chunks at least 1
   */
  record Acquire(LeaseId id, int chunks) implements LeaseRequest {
    /** Checks the range. */
    public Acquire {
      Bounds.range("the number of requested chunks", chunks, 1, Bounds.MOST_CHUNKS);
    }
  }

  /**
   * Reports slots filled; the borrower writes to them no more. Answered by Acknowledged and
   * Rejected. May come in parts.
   */
  record Filled(LeaseId id, List<FilledChunk> chunks) implements LeaseRequest {
    /** Copies the list. */
    public Filled {
      Bounds.range("the number of filled chunks", chunks.size(), 1, Bounds.MOST_CHUNKS);
      chunks = List.copyOf(chunks);
    }
  }

  /**
   * Ends the lease; the borrower writes to none of its slots any more. Answered by Released. Also
   * ends a request whose answer never came.
   */
  record Release(LeaseId id) implements LeaseRequest {}
}
