package io.cairn.core.wire;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.PlanAnswer;
import java.nio.ByteBuffer;
import java.util.List;

/** A peer's answer to a {@link PeerRequest}. Immutable. */
public sealed interface PeerReply extends Message {
  /** The request was carried out, and has no other result. */
  record Done() implements PeerReply {}

  /** The desk's answer to a report. */
  record Planned(PlanAnswer answer) implements PeerReply {}

  /** A lender's answer to a lease request. */
  record Leased(LeaseAnswer answer) implements PeerReply {}

  /**
   * A holder, as its peers need to know it.
   *
   * @param holder its id; another process may serve at the address of one that died
   * @param machine equal for processes that can share memory
   * @param chunkBytes length of its slots
   * @param exports its slots, for processes of that machine
   */
  record Greeting(String holder, String machine, int chunkBytes, List<Export> exports)
      implements PeerReply {
    private static final int MOST_EXPORTS = 4096;

    /** Copies the list and checks the ranges. */
    public Greeting {
      exports = List.copyOf(exports);
      if (chunkBytes < 1 || exports.size() > MOST_EXPORTS) {
        throw new IllegalArgumentException(
            exports.size() + " exports with slots of " + chunkBytes + " bytes");
      }
    }
  }

  /**
   * Slots that lie side by side in one piece of memory. The receiver makes no room for so many
   * before it opened memory that has them.
   *
   * @param firstSlot number of the first
   * @param slots how many follow each other from there
   * @param handle by which a process of the same machine opens the memory; a buffer of the heap
   *     that nobody writes to any more
   */
  record Export(int firstSlot, int slots, ByteBuffer handle) {
    private static final int MOST_HANDLE_BYTES = 8192;

    /** Checks the ranges. */
    public Export {
      if (firstSlot < 0 || slots < 1 || firstSlot > Integer.MAX_VALUE - slots) {
        throw new IllegalArgumentException(slots + " slots from number " + firstSlot);
      }
      if (handle.remaining() > MOST_HANDLE_BYTES) {
        throw new IllegalArgumentException("a handle of " + handle.remaining() + " bytes");
      }
    }

    /** The handle, with a position of the caller's own. */
    @Override
    public ByteBuffer handle() {
      return handle.duplicate();
    }
  }

  /** An answer to {@link PeerRequest.Flush} or {@link PeerRequest.StageRank}. */
  sealed interface Flushing extends PeerReply {}

  /** An answer to {@link PeerRequest.KeepCopy} or {@link PeerRequest.KeepParity}. */
  sealed interface Keeping extends PeerReply {}

  /** The peer still writes: ask again. */
  record StillWriting() implements Flushing, Keeping {}

  /** The peer keeps the copy, or the parity: it is verified and published. */
  record Kept() implements Keeping {}

  /** Ranks that the process joined to the group in the epoch; none if it knows another epoch. */
  record Ranks(List<Integer> ranks) implements PeerReply {
    /** Copies the list. */
    public Ranks {
      ranks = List.copyOf(ranks);
    }
  }

  /** The peer wrote this container. */
  record Written(ContainerSummary container) implements Flushing {}

  /** Whether the borrower moved all chunks that lay under the lease. */
  record Vacated(boolean moved) implements PeerReply {}

  /** The processes that serve other nodes than the asking one. */
  record Nodes(List<NodeSite> sites) implements PeerReply {
    /** Copies the list. */
    public Nodes {
      sites = List.copyOf(sites);
    }
  }

  /** The checkpoints of a group at a node. */
  record AtNode(List<RankHolding> holdings) implements PeerReply {
    /** Copies the list. */
    public AtNode {
      holdings = List.copyOf(holdings);
    }
  }

  /**
   * Bytes of a chunk, or of a container.
   *
   * @param bytes at most {@link #MOST_BYTES}; a buffer of the heap that nobody writes to any more
   */
  record Piece(ByteBuffer bytes) implements PeerReply {
    /** The longest piece; its other fields have room in {@link PeerTransport}'s longest answer. */
    public static final int MOST_BYTES = 4 << 20;

    /** Checks the length. */
    public Piece {
      if (bytes.remaining() > MOST_BYTES) {
        throw new IllegalArgumentException("a piece of " + bytes.remaining() + " bytes");
      }
    }

    /** The bytes, with a position of the caller's own. */
    @Override
    public ByteBuffer bytes() {
      return bytes.duplicate();
    }
  }
}
