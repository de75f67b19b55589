package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import java.util.List;

/** An action that a {@link LeaseBook} asks its carrier for; actions come in order. */
public sealed interface LeaseAction {
  /** Send this answer to the holder; dropped if the holder cannot be reached. */
  record Send(String holder, LeaseAnswer answer) implements LeaseAction {}

  /** Compare these slots with their checksums; ends in one Verified, even if other events come. */
  record Verify(LeaseId id, List<LeasedChunk> chunks) implements LeaseAction {
    /** Copies the list. */
    public Verify {
      chunks = List.copyOf(chunks);
    }
  }

  /**
   * Let the borrower move these chunks to its host memory and release them; ends in one Moved, even
   * if other events come. After the deadline the chunks count as dropped.
   */
  record MoveOrDrop(LeaseId id, List<LeasedChunk> chunks, long deadlineNanos)
      implements LeaseAction {
    /** Copies the list. */
    public MoveOrDrop {
      chunks = List.copyOf(chunks);
    }
  }

  /** Answers a pin: these chunks stay unchanged until the Unpin; an empty list pins nothing. */
  record Read(LeaseId id, List<LeasedChunk> chunks) implements LeaseAction {
    /** Copies the list. */
    public Read {
      chunks = List.copyOf(chunks);
    }
  }

  /** Return these slots to the cache: nobody writes or reads them any more. */
  record Return(List<Integer> slots) implements LeaseAction {
    /** Copies the list. */
    public Return {
      slots = List.copyOf(slots);
    }
  }

  /** Forget this lease: it has ended. */
  record Over(LeaseId id) implements LeaseAction {}

  /**
   * Report that chunks of this rank are lost at DEVICE: the checkpoint never counts as sealed there
   * again. May come several times, also before all chunks are acknowledged.
   */
  record Withdraw(CheckpointId checkpoint, int rank, String reason) implements LeaseAction {}

  /** Send {@link LeaseEvent.Clock} at this time; replaces the earlier wake-up. */
  record WakeAt(long nanos) implements LeaseAction {}
}
