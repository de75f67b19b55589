package io.cairn.core.wire;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.RegionImage;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A question that one process asks another over {@link io.cairn.core.peer.PeerTransport}. Each kind
 * names the {@link PeerReply} that answers it. Immutable.
 */
public sealed interface PeerRequest extends Message {
  /** To the desk. */
  sealed interface ToDesk extends PeerRequest {}

  /** To a process that shares device memory. */
  sealed interface ToHolder extends PeerRequest {}

  /** To a process that serves its node. */
  sealed interface ToNode extends PeerRequest {}

  /** To the desk; a report is answered by {@link PeerReply.Planned}, the rest by Done. */
  record Desk(DeskMessage message) implements ToDesk {}

  /** To a lender, answered by {@link PeerReply.Leased}. */
  record Lease(LeaseRequest request) implements ToHolder {}

  /** To any holder, answered by {@link PeerReply.Greeting}. */
  record Greet() implements ToHolder {}

  /**
   * To a lender: write the chunks held under a lease to NODE. Answered by {@link
   * PeerReply.Written}, or by {@link PeerReply.StillWriting}, after which the borrower asks again.
   *
   * @param groupSize ranks of the group
   * @param node identity of the store that is NODE for the borrower; a lender whose NODE is another
   *     store refuses
   * @param images of all regions of the rank
   */
  record Flush(LeaseId lease, int groupSize, String node, List<RegionImage> images)
      implements ToHolder {
    /** Copies the list. */
    public Flush {
      images = List.copyOf(images);
    }
  }

  /** To a borrower: an answer that it did not ask for, such as Revoked. Answered by Done. */
  record Notice(LeaseAnswer answer) implements ToHolder {}

  /**
   * To a borrower: move the chunks that lie under a lease elsewhere. Answered by {@link
   * PeerReply.Vacated}.
   */
  record Vacate(LeaseId lease) implements ToHolder {}

  /** To any holder: every rank of this group reports from now on. Answered by Done. */
  record Shares(GroupId group) implements ToHolder {}

  /** To a lender: bytes of a chunk that it holds. Answered by {@link PeerReply.Piece}. */
  record Read(ChunkSpan span) implements ToHolder {}

  /**
   * To a lender: the chunks at these positions have a copy at NODE. Answered by Done.
   *
   * @param positions in the lease, not negative
   */
  record Flushed(LeaseId lease, List<Integer> positions) implements ToHolder {
    /** Copies the list and checks the positions. */
    public Flushed {
      positions = List.copyOf(positions);
      for (int position : positions) {
        if (position < 0) {
          throw new IllegalArgumentException("position " + position + " of " + lease);
        }
      }
    }
  }

  /**
   * To the desk: this process serves its node from now on. Answered by {@link PeerReply.Nodes}, the
   * processes of all other nodes.
   */
  record ServeNode(NodeSite site) implements ToDesk {}

  /**
   * To a process that serves its node: which checkpoints of this rank, and of others in its group,
   * are there? Answered by {@link PeerReply.AtNode}.
   *
   * @param level NODE for the node's own copies, PEER for those that it keeps for other nodes
   * @param birth of the group
   */
  record SurveyNode(Level level, Member member, String birth) implements ToNode {}

  /**
   * To a process that serves its node: bytes of a container. Answered by {@link PeerReply.Piece}.
   *
   * @param level as in {@link SurveyNode}
   * @param birth of the group
   * @param container name within the checkpoint's directory
   * @param bytes at most {@link PeerReply.Piece#MOST_BYTES}
   */
  record ReadNode(
      Level level, CheckpointId id, String birth, String container, long offset, int bytes)
      implements ToNode {
    /** Checks the range. */
    public ReadNode {
      if (offset < 0 || bytes < 0 || bytes > PeerReply.Piece.MOST_BYTES) {
        throw new IllegalArgumentException(bytes + " bytes of " + container + " from " + offset);
      }
    }
  }

  /**
   * To a process that serves its node: fetch one rank's containers from their owner's node, and
   * keep them. Answered by {@link PeerReply.Kept} once they are verified and published there, or by
   * {@link PeerReply.StillWriting}, after which the owner asks again.
   *
   * @param owner serves the node that the containers are read from
   * @param birth of the group
   * @param manifest the rank's part of the manifest, as at the owner's node; it names checkpoint,
   *     rank, and containers with length and digest. A buffer of the heap that nobody writes to any
   *     more
   */
  record KeepCopy(NodeSite owner, String birth, ByteBuffer manifest) implements ToNode {
    private static final int MOST_BYTES = 1 << 20;

    /** Checks the length. */
    public KeepCopy {
      requireShort(manifest);
    }

    private static void requireShort(ByteBuffer manifest) {
      if (manifest.remaining() > MOST_BYTES) {
        throw new IllegalArgumentException("a manifest of " + manifest.remaining() + " bytes");
      }
    }

    /** The part of the manifest, with a position of the caller's own. */
    @Override
    public ByteBuffer manifest() {
      return manifest.duplicate();
    }
  }

  /**
   * To a staging server: write one rank's data to STORE, from its node. Answered by {@link
   * PeerReply.Written} once the container is closed, or by {@link PeerReply.StillWriting}, after
   * which the owner asks again.
   *
   * @param owner serves the node that the data is read from
   * @param birth of the group
   * @param manifest the rank's part of the manifest, as in {@link KeepCopy}
   */
  record StageRank(NodeSite owner, String birth, ByteBuffer manifest) implements ToNode {
    /** Checks the length. */
    public StageRank {
      KeepCopy.requireShort(manifest);
    }

    /** The part of the manifest, with a position of the caller's own. */
    @Override
    public ByteBuffer manifest() {
      return manifest.duplicate();
    }
  }

  /**
   * To a process that serves its node: which ranks of the group did this process join to it in this
   * epoch? Answered by {@link PeerReply.Ranks}.
   */
  record RanksOf(GroupId group, long epoch) implements ToNode {}

  /**
   * To a process that serves its node: the part of the manifest of one rank, as at NODE. Answered
   * by {@link PeerReply.Piece}, which is empty if the node does not have it.
   *
   * @param birth of the group
   */
  record ReadPart(CheckpointId id, String birth, int rank) implements ToNode {}

  /**
   * A rank whose data lies at the node of a process.
   *
   * @param site serves that node
   */
  record RankAt(int rank, NodeSite site) {}

  /**
   * To a process that serves its node: keep a parity of a set of ranks, made of what their nodes
   * hold. Answered by {@link PeerReply.Kept} once it is published there, or by {@link
   * PeerReply.StillWriting}, after which the owner asks again. All owners of the set send the same.
   *
   * @param birth of the group
   * @param scheme name of the code
   * @param members by rising rank
   * @param holders names of the nodes that keep the parities, in their order; for people
   * @param index of the parity that this process keeps
   * @param bytes of the sender's data, by which the process bounds its queue
   */
  record KeepParity(
      CheckpointId id,
      String birth,
      String scheme,
      List<RankAt> members,
      List<String> holders,
      int index,
      long bytes)
      implements ToNode {
    /** Copies the lists. */
    public KeepParity {
      members = List.copyOf(members);
      holders = List.copyOf(holders);
    }
  }

  /**
   * To a process that keeps copies: delete those of this group that newer sealed ones replace.
   * Answered by Done.
   *
   * @param birth of the group
   * @param newest sealed at PEER; its epoch is the group's present one
   * @param keep sealed checkpoints that stay, at least 1
   * @param sealed the checkpoints that count as sealed at PEER
   */
  record RetainCopies(String birth, CheckpointId newest, int keep, List<CheckpointId> sealed)
      implements ToNode {
    /** Copies the list and checks the number. */
    public RetainCopies {
      sealed = List.copyOf(sealed);
      if (keep < 1) {
        throw new IllegalArgumentException("keep " + keep + " copies of " + newest.group());
      }
    }
  }

  /**
   * To a process that keeps copies: delete those of a checkpoint that its group gave up. Answered
   * by Done.
   *
   * @param birth of the group
   */
  record DropCopies(String birth, CheckpointId id) implements ToNode {}

  /**
   * To a process that keeps copies: the training ended in order with this epoch, so delete all
   * copies that are not newer. Answered by Done.
   *
   * @param birth of the group
   */
  record ReleaseCopies(GroupId group, String birth, long epoch) implements ToNode {}
}
