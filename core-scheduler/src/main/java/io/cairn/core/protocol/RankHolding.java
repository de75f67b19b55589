package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.core.codec.Clipped;
import io.cairn.core.model.ContainerSummary;
import java.util.List;
import java.util.Optional;

/**
 * One checkpoint at one place, as a process that listed the place reports it to one rank.
 *
 * @param size ranks of the group that wrote it; 0 if unknown
 * @param candidate the checkpoint, if its manifest can be read there
 * @param containers that together hold the rank's data; none if the place does not have it
 * @param problem why it, or a part of it, does not count; empty if there is no problem
 * @param proof how much the problem proves
 */
public record RankHolding(
    CheckpointId id,
    int size,
    Optional<Candidate> candidate,
    List<ContainerSummary> containers,
    @Clipped String problem,
    Proof proof) {
  /** Copies the list, and checks that the candidate is this checkpoint. */
  public RankHolding {
    containers = List.copyOf(containers);
    if (candidate.isPresent() && !candidate.get().id().equals(id)) {
      throw new IllegalArgumentException(id + " is held as " + candidate.get().id());
    }
  }
}
