package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import io.cairn.core.codec.Clipped;
import java.util.List;

/** The answer of the {@link PlanDesk} to a rank's report. */
public sealed interface PlanAnswer {
  /** The reported checkpoint. */
  CheckpointId checkpoint();

  /** The rank that reported. */
  int rank();

  /**
   * Places for the rank's remainder; leases and host chunks add up to it.
   *
   * @param leases to acquire, at most one of each lender
   * @param hostChunks to the host's memory
   * @param reason for sending the whole remainder to the host without a plan; empty with a plan
   */
  record Part(
      CheckpointId checkpoint,
      int rank,
      List<PlannedLease> leases,
      int hostChunks,
      @Clipped String reason)
      implements PlanAnswer {
    /** Copies the list. */
    public Part {
      Bounds.range("a rank", rank, 0, Integer.MAX_VALUE);
      Bounds.range("a number of chunks", hostChunks, 0, Integer.MAX_VALUE);
      leases = List.copyOf(leases);
    }
  }

  /** The rank's epoch is over; the report is ignored. */
  record Refused(CheckpointId checkpoint, int rank, @Clipped String reason) implements PlanAnswer {
    /** Checks the range. */
    public Refused {
      Bounds.range("a rank", rank, 0, Integer.MAX_VALUE);
    }
  }

  /**
   * A lease that the rank is to acquire.
   *
   * @param lender the holder that has the slots
   * @param chunks at least 1
   */
  record PlannedLease(String lender, int chunks) {
    /** Checks the ranges. */
    public PlannedLease {
      Bounds.name("a holder's id", lender);
      Bounds.range("a number of chunks", chunks, 1, Bounds.MOST_CHUNKS);
    }
  }
}
