package io.cairn.core.wire;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Member;
import io.cairn.core.model.RegionImage;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import java.util.List;

/**
 * A question that one process asks another over {@link io.cairn.core.peer.PeerTransport}. Each kind
 * names the {@link PeerReply} that answers it. Immutable.
 */
public sealed interface PeerRequest {
  /** To the desk; a report is answered by {@link PeerReply.Planned}, the rest by Done. */
  record Desk(DeskMessage message) implements PeerRequest {}

  /** To a lender, answered by {@link PeerReply.Leased}. */
  record Lease(LeaseRequest request) implements PeerRequest {}

  /** To any holder, answered by {@link PeerReply.Greeting}. */
  record Greet() implements PeerRequest {}

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
      implements PeerRequest {
    /** Copies the list. */
    public Flush {
      images = List.copyOf(images);
    }
  }

  /** To a borrower: an answer that it did not ask for, such as Revoked. Answered by Done. */
  record Notice(LeaseAnswer answer) implements PeerRequest {}

  /**
   * To a borrower: move the chunks that lie under a lease elsewhere. Answered by {@link
   * PeerReply.Vacated}.
   */
  record Vacate(LeaseId lease) implements PeerRequest {}

  /** To any holder: every rank of this group reports from now on. Answered by Done. */
  record Shares(GroupId group) implements PeerRequest {}

  /** To a lender: bytes of a chunk that it holds. Answered by {@link PeerReply.Piece}. */
  record Read(ChunkSpan span) implements PeerRequest {}

  /**
   * To a lender: the chunks at these positions have a copy at NODE. Answered by Done.
   *
   * @param positions in the lease, not negative
   */
  record Flushed(LeaseId lease, List<Integer> positions) implements PeerRequest {
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
  record ServeNode(NodeSite site) implements PeerRequest {}

  /**
   * To a process that serves its node: which checkpoints of this rank, and of others in its group,
   * are there? Answered by {@link PeerReply.AtNode}.
   *
   * @param birth of the group
   */
  record SurveyNode(Member member, String birth) implements PeerRequest {}

  /**
   * To a process that serves its node: bytes of a container. Answered by {@link PeerReply.Piece}.
   *
   * @param birth of the group
   * @param container name within the checkpoint's directory
   * @param bytes at most {@link PeerReply.Piece#MOST_BYTES}
   */
  record ReadNode(CheckpointId id, String birth, String container, long offset, int bytes)
      implements PeerRequest {
    /** Checks the range. */
    public ReadNode {
      if (offset < 0 || bytes < 0 || bytes > PeerReply.Piece.MOST_BYTES) {
        throw new IllegalArgumentException(bytes + " bytes of " + container + " from " + offset);
      }
    }
  }
}
