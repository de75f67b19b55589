package io.cairn.core.sharing;

import java.util.List;

/**
 * What a sender says to a receiver's {@link LeaseBook}. Any of it may arrive twice, late, in
 * another order or not at all; it is repeated until it is answered.
 */
public sealed interface LeaseRequest extends LeaseEvent {
  /** The claim that it is about. */
  LeaseId id();

  /**
   * Wants slots; answered by Granted, perhaps with fewer, or Refused.
   *
   * @param chunks at least 1
   */
  record Acquire(LeaseId id, int chunks) implements LeaseRequest {
    /** Checks the range. */
    public Acquire {
      Bounds.range("the number of claimed chunks", chunks, 1, Bounds.MOST_CHUNKS);
    }
  }

  /**
   * These slots are filled, and the sender writes to them no more; answered by Acknowledged and
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
   * The sender needs nothing of this lease any more, writes to none of its slots, and will not fill
   * them; answered by Released. Also ends a claim whose answer never came.
   */
  record Release(LeaseId id) implements LeaseRequest {}

  /** The same for some of the slots; the sender still releases the lease in the end. */
  record ReleaseSome(LeaseId id, List<Integer> positions) implements LeaseRequest {
    /** Copies the list. */
    public ReleaseSome {
      positions = Bounds.numbers("positions", positions);
    }
  }
}
