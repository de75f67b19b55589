package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import io.cairn.Member;

/** A message to the {@link PlanDesk} from a holder or its ranks; it may come twice or late. */
public sealed interface DeskMessage extends DeskEvent {
  /** Slots are at most so large: 64 GiB. */
  long MOST_CHUNK_BYTES = 1L << 36;

  /** The most chunks of one lease, and the most slots of a cache that lends. */
  int MOST_CHUNKS = Bounds.MOST_CHUNKS;

  /** Registers a holder that lends; a repetition replaces its site. */
  record Registered(HolderSite site) implements DeskMessage {}

  /**
   * Slots that the holder can lend, lent ones included; its ranks' reports have the number, too. A
   * borrower that cannot reach a lender sends 0 for it, which the lender's next own message
   * corrects.
   */
  record Spare(String holder, int chunks, long chunkBytes) implements DeskMessage {
    /** Checks the ranges. */
    public Spare {
      Bounds.name("a holder's id", holder);
      Bounds.range("a number of chunks", chunks, 0, Bounds.MOST_CHUNKS);
      size(chunkBytes);
    }
  }

  /**
   * Reports the remainder of a rank's checkpoint; answered by one {@link PlanAnswer}.
   *
   * @param member the rank
   * @param epoch of the checkpoint
   * @param iteration of the checkpoint
   * @param holder of the rank
   * @param remainderChunks chunks that do not fit the holder's own cache
   * @param spareChunks slots that the holder can lend, lent ones included; counts only without a
   *     remainder
   * @param chunkBytes of a slot
   */
  record Report(
      Member member,
      long epoch,
      long iteration,
      String holder,
      int remainderChunks,
      int spareChunks,
      long chunkBytes)
      implements DeskMessage {
    /** Checks the ranges. */
    public Report {
      Bounds.range("an epoch", epoch, 1, CheckpointId.MAX_EPOCH);
      Bounds.range("an iteration", iteration, 0, CheckpointId.MAX_NUMBER);
      Bounds.name("a holder's id", holder);
      Bounds.range("a number of chunks", remainderChunks, 0, Integer.MAX_VALUE);
      Bounds.range("a number of chunks", spareChunks, 0, Integer.MAX_VALUE);
      size(chunkBytes);
    }

    /** The checkpoint of this member's group. */
    public CheckpointId checkpoint() {
      return new CheckpointId(member.group(), epoch, iteration);
    }
  }

  private static void size(long chunkBytes) {
    Bounds.range("the size of a chunk, in bytes,", chunkBytes, 1, MOST_CHUNK_BYTES);
  }
}
