package io.cairn.core.protocol;

import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Level;
import java.util.List;
import java.util.Optional;

/**
 * What a rank says to its group's coordinator. Any message may arrive twice or late; every one but
 * {@link Join} carries the epoch, and one of an older epoch is refused.
 */
public sealed interface MemberMessage extends CoordinatorEvent {
  /** Who speaks. */
  int rank();

  /**
   * A start, a retry or a rollback of this rank: it wants a new epoch.
   *
   * @param incarnation unique per join, so that a resent join is known as the same
   */
  record Join(int rank, int size, String incarnation) implements MemberMessage {}

  /** What this rank could restore, in any order; nothing, if it wants to start afresh. */
  record Offer(int rank, long epoch, List<Candidate> candidates) implements MemberMessage {
    /** Copies the list. */
    public Offer {
      candidates = List.copyOf(candidates);
    }
  }

  /**
   * Whether the proposed checkpoint verified; {@code refusal} is empty if it did.
   *
   * @param level of the nearest copy that this rank can read; empty if it can read none
   */
  record Vote(int rank, long epoch, CheckpointId id, Optional<Level> level, String refusal)
      implements MemberMessage {}

  /**
   * This rank's data is held at the level, verified by its holder.
   *
   * @param container what was written to STORE, for the manifest that the coordinator commits; at
   *     NODE each rank publishes its own
   * @param measured what it cost
   */
  record Held(
      int rank,
      long epoch,
      long iteration,
      Level level,
      Optional<ContainerSummary> container,
      Measurement measured)
      implements MemberMessage {}

  /** This rank's data will not come to the level. */
  record GaveUp(int rank, long epoch, long iteration, Level level, boolean failed, String reason)
      implements MemberMessage {}

  /** Whether this rank learned of a planned cadence before it had reached where that begins. */
  record CadenceVote(int rank, long epoch, long version, boolean inTime) implements MemberMessage {}

  /** This rank's process is about to end: what it holds at DEVICE alone will be lost. */
  record Endangered(int rank, long epoch) implements MemberMessage {}

  /** This rank ends its part in order. */
  record Leave(int rank, long epoch) implements MemberMessage {}
}
