package io.cairn.core.wire;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.Candidate;
import java.util.List;
import java.util.Optional;

/**
 * One checkpoint at a node, as its node reports it to one rank.
 *
 * @param size ranks of the group that wrote it; 0 if unknown
 * @param candidate the checkpoint, if its manifest can be read there
 * @param containers that together hold the asking rank's data; none if the node does not have it
 * @param problem why it, or a part of it, does not count; empty if there is no problem
 * @param passing whether a later read may find it whole, so that the problem proves nothing
 */
public record NodeHolding(
    CheckpointId id,
    int size,
    Optional<Candidate> candidate,
    List<ContainerSummary> containers,
    String problem,
    boolean passing) {
  /** Copies the list, and checks that the candidate is this checkpoint. */
  public NodeHolding {
    containers = List.copyOf(containers);
    if (candidate.isPresent() && !candidate.get().id().equals(id)) {
      throw new IllegalArgumentException(id + " is held as " + candidate.get().id());
    }
  }
}
