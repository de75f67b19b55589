package io.cairn.core.wire;

import io.cairn.CheckpointId;
import io.cairn.core.model.ContainerSummary;

/** A staging server's answer to a {@link StagingRequest}. Immutable. */
public sealed interface StagingReply {
  /** Nothing is wanted now: ask again. */
  record Nothing() implements StagingReply {}

  /**
   * Send these bytes of a container at your node.
   *
   * @param number of this wish, rising within an attempt
   * @param id of the checkpoint with the container: the announced one, or one that it leans on
   * @param bytes 1 to {@link PeerReply.Piece#MOST_BYTES}
   */
  record Wanted(long number, CheckpointId id, String container, long offset, int bytes)
      implements StagingReply {
    /** Checks the range. */
    public Wanted {
      if (offset < 0 || bytes < 1 || bytes > PeerReply.Piece.MOST_BYTES) {
        throw new IllegalArgumentException(bytes + " bytes of " + container + " from " + offset);
      }
    }
  }

  /** STORE holds the rank's data in this container. Ends the attempt. */
  record Staged(ContainerSummary container) implements StagingReply {}

  /** The server does not write the data. Ends the attempt. */
  record Refused(String reason) implements StagingReply {}
}
