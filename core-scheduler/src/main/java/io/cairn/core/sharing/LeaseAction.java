package io.cairn.core.sharing;

import io.cairn.core.model.CheckpointId;
import java.util.List;

/** An action that a {@link LeaseBook} asks its carrier for; actions come in order. */
public sealed interface LeaseAction {
  /** Send this to the holder; dropped if it cannot be reached. */
  record Send(String holder, LeaseAnswer answer) implements LeaseAction {}

  /** Compare these slots with their checksums; answer with one Verified, whatever comes between. */
  record Verify(LeaseId id, List<LeasedChunk> chunks) implements LeaseAction {
    /** Copies the list. */
    public Verify {
      chunks = List.copyOf(chunks);
    }
  }

  /**
   * Copy these chunks to host memory or NODE, or drop them; answer with one Moved, whatever comes
   * between. After the deadline they count as dropped.
   */
  record MoveOrDrop(LeaseId id, List<LeasedChunk> chunks, long deadlineNanos)
      implements LeaseAction {
    /** Copies the list. */
    public MoveOrDrop {
      chunks = List.copyOf(chunks);
    }
  }

  /**
   * Answers a pin: these stay as they are until the Unpin; if there are none, nothing is pinned.
   */
  record Read(LeaseId id, List<LeasedChunk> chunks) implements LeaseAction {
    /** Copies the list. */
    public Read {
      chunks = List.copyOf(chunks);
    }
  }

  /** Give these slots back to the cache: nobody writes or reads them any more. */
  record Return(List<Integer> slots) implements LeaseAction {
    /** Copies the list. */
    public Return {
      slots = List.copyOf(slots);
    }
  }

  /** Drop everything else that is kept under this lease, such as copies in host memory. */
  record Over(LeaseId id) implements LeaseAction {}

  /**
   * Chunks of this rank are at DEVICE no more: say so to the group's coordinator and the catalog.
   * May come several times for one checkpoint, and before all of it was acknowledged: once
   * withdrawn it never counts as sealed at DEVICE.
   */
  record Withdraw(CheckpointId checkpoint, int rank, String reason) implements LeaseAction {}

  /** Come back with {@link LeaseEvent.Clock} at this time, replacing what was said before. */
  record WakeAt(long nanos) implements LeaseAction {}
}
