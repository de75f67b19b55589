package io.cairn.core.sharing;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Member;

/** What holders and their ranks say to the {@link PlanDesk}. Any of it may come twice or late. */
public sealed interface DeskMessage extends DeskEvent {
  /** Slots are at most so large: 64 GiB. */
  long MOST_CHUNK_BYTES = 1L << 36;

  /** A holder that lends; said again, its site replaces the one before. */
  record Registered(HolderSite site) implements DeskMessage {}

  /**
   * What the holder could take for others, with what it has lent; its ranks' reports say it, too.
   */
  record Spare(String holder, int chunks, long chunkBytes) implements DeskMessage {
    /** Checks the ranges. */
    public Spare {
      Bounds.name("a holder's id", holder);
      sizes(chunks, chunkBytes);
    }
  }

  /**
   * What a rank's checkpoint needs; answered by one {@link PlanAnswer}.
   *
   * @param member the rank
   * @param epoch of the checkpoint
   * @param iteration of the checkpoint
   * @param holder that the rank lives on
   * @param remainderChunks what does not fit the holder's own cache
   * @param spareChunks what the holder could take for others, with what it has lent; nothing while
   *     it has a remainder
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
      Bounds.range("an epoch", epoch, 1, CheckpointId.MAX_NUMBER);
      Bounds.range("an iteration", iteration, 0, CheckpointId.MAX_NUMBER);
      Bounds.name("a holder's id", holder);
      sizes(remainderChunks, chunkBytes);
      sizes(spareChunks, chunkBytes);
    }

    /** The checkpoint of this member's group. */
    public CheckpointId checkpoint() {
      return new CheckpointId(member.group(), epoch, iteration);
    }
  }

  private static void sizes(int chunks, long chunkBytes) {
    Bounds.range("a number of chunks", chunks, 0, Bounds.MOST_CHUNKS);
    Bounds.range("the size of a chunk, in bytes,", chunkBytes, 1, MOST_CHUNK_BYTES);
  }
}
