package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import java.util.Map;
import java.util.Optional;

/**
 * The start of one epoch: welcomes its members, and leads them to an agreement on the checkpoint to
 * resume from. A proposal of a later epoch than this one waits until the carrier has looked for the
 * claim of a later epoch. Not thread-safe.
 */
final class EpochStart {
  private final long epoch;
  private final CadencePlan cadence;
  private final Roster roster;
  private final Gathering gathering;
  private final ActionList actions;
  private final RestoreAgreement agreement;

  private final LateClaim claim;
  private final NodeMemory atNode;

  /** Of STORE, by rank, until the group has agreed. */
  private Map<Integer, RankSurvey> surveys;

  /** Whether the carrier was asked to take a later epoch; it is asked once. */
  private boolean asked;

  /** Whether proposals wait for its answer. */
  private boolean waits;

  /**
   * Nobody is welcomed yet.
   *
   * @param taken the epoch; ranks without a survey of STORE ask it themselves
   * @param cadence in force when the epoch begins
   * @param claim of the epoch
   * @param atNode what the group knows of its copies at NODE
   */
  EpochStart(
      CoordinatorEvent.EpochTaken taken,
      int size,
      CadencePlan cadence,
      LateClaim claim,
      NodeMemory atNode,
      Roster roster,
      Gathering gathering,
      ActionList actions) {
    this.epoch = taken.epoch();
    this.cadence = cadence;
    this.claim = claim;
    this.atNode = atNode;
    this.surveys = taken.atStore();
    this.roster = roster;
    this.gathering = gathering;
    this.actions = actions;
    this.agreement = new RestoreAgreement(size, taken.anySealed());
  }

  /** Sends a member its epoch. */
  void welcome(int rank, String incarnation) {
    Optional<RankSurvey> atStore = Optional.ofNullable(surveys.get(rank));
    actions.send(
        rank,
        incarnation,
        new CoordinatorMessage.Joined(
            epoch, cadence, atStore, claim.standing(), atNode.copy(rank)));
  }

  /** Takes an offer; returns the agreement if this completes it. */
  Optional<CoordinatorMessage.Resume> offered(MemberMessage.Offer offer) {
    atNode.offered(offer);
    return announce(agreement.offer(offer.rank(), offer.candidates()));
  }

  /** Takes a vote; returns the agreement if this completes it. */
  Optional<CoordinatorMessage.Resume> voted(MemberMessage.Vote vote) {
    return announce(agreement.vote(vote.rank(), vote.id(), vote.level(), vote.refusal()));
  }

  /** Sends each proposal once: an early vote is not asked for again. */
  private Optional<CoordinatorMessage.Resume> announce(boolean changed) {
    if (changed && agreement.decided()) {
      surveys = Map.of();
      return Optional.of(agreement.resume(epoch));
    } else if (changed) {
      propose();
    }
    return Optional.empty();
  }

  private void propose() {
    Optional<CheckpointId> proposed = agreement.proposed().map(Candidate::id);
    Optional<CheckpointId> later = proposed.filter(id -> id.epoch() > epoch);
    if (later.isPresent() && !asked) {
      asked = true;
      waits = true;
      gathering.takeLater(epoch, later.get().epoch());
    } else if (!waits) {
      proposed.ifPresent(
          id -> actions.sendAll(roster.members(), new CoordinatorMessage.Verify(epoch, id)));
    }
  }

  /** This epoch stays: the proposal that waited is sent. */
  void stays(long of) {
    if (waits && of == epoch) {
      waits = false;
      propose();
    }
  }

  /** Whether a later epoch takes the place of this one, with the same members. */
  boolean givesWayTo(CoordinatorEvent.LaterEpochTaken taken) {
    return waits && taken.instead() == epoch && roster.isComplete();
  }

  /** Whether the group has agreed. */
  boolean isDecided() {
    return agreement.decided();
  }

  /** The highest level from which a rank resumes; empty if the group starts afresh. */
  Optional<Level> level() {
    return agreement.level();
  }

  /** Reports or ends a wait, since time has passed. */
  void reminded(long nowNanos) {
    gathering.reminded(agreement, nowNanos);
  }
}
