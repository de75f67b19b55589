package io.cairn.core.sharing;

import io.cairn.core.model.CheckpointId;
import java.util.List;

/** What the {@link PlanDesk} answers a rank's report. */
public sealed interface PlanAnswer {
  /** The checkpoint that it is about. */
  CheckpointId checkpoint();

  /** The rank that reported. */
  int rank();

  /**
   * Where the rank's remainder goes; all parts together are the remainder that it reported.
   *
   * @param shares to other holders, each at most once
   * @param hostChunks to the host's memory
   * @param reason why all goes to the host without a plan; empty if this is the plan
   */
  record Part(CheckpointId checkpoint, int rank, List<Share> shares, int hostChunks, String reason)
      implements PlanAnswer {
    /** Copies the list. */
    public Part {
      Bounds.range("a rank", rank, 0, Integer.MAX_VALUE);
      Bounds.range("a number of chunks", hostChunks, 0, Bounds.MOST_CHUNKS);
      shares = List.copyOf(shares);
    }
  }

  /** The rank's epoch is over: it has nothing to share any more. */
  record Refused(CheckpointId checkpoint, int rank, String reason) implements PlanAnswer {
    /** Checks the range. */
    public Refused {
      Bounds.range("a rank", rank, 0, Integer.MAX_VALUE);
    }
  }

  /**
   * What one receiver takes.
   *
   * @param receiver the holder to claim from
   * @param chunks at least 1
   */
  record Share(String receiver, int chunks) {
    /** Checks the ranges. */
    public Share {
      Bounds.name("a holder's id", receiver);
      Bounds.range("a number of chunks", chunks, 1, Bounds.MOST_CHUNKS);
    }
  }
}
