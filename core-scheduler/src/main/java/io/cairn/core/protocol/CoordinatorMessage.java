package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.codec.Clipped;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest.Parent;
import java.util.Optional;
import java.util.Set;

/** A message of a coordinator to one rank. */
public sealed interface CoordinatorMessage {
  /**
   * The rank is a member of this epoch, which begins with this cadence. Until the group has agreed
   * where to resume from, a later epoch may take its place.
   *
   * @param atStore the group's checkpoints at STORE; empty if the coordinator could not list them,
   *     or the message would be too long: then the rank asks STORE itself. One has some hundred
   *     bytes, and its ancestry 16 per restart
   * @param standing whether STORE has the claim of the epoch, and which others count without one
   * @param atNode the rank's newest copy at NODE that the group knows of; empty if it knows none
   */
  record Joined(
      long epoch,
      CadencePlan cadence,
      @Clipped(32 << 10) Optional<RankSurvey> atStore,
      Standing standing,
      Optional<NodeSeal.Copy> atNode)
      implements CoordinatorMessage {
    /** Without a known copy at NODE. */
    public Joined(
        long epoch, CadencePlan cadence, Optional<RankSurvey> atStore, Standing standing) {
      this(epoch, cadence, atStore, standing, Optional.empty());
    }

    /** In a claimed epoch. */
    public Joined(long epoch, CadencePlan cadence, Optional<RankSurvey> atStore) {
      this(epoch, cadence, atStore, Standing.CLAIMED);
    }

    /** Without a survey. */
    public Joined(long epoch, CadencePlan cadence) {
      this(epoch, cadence, Optional.empty());
    }
  }

  /** STORE has the claim of the epoch, which began without one. */
  record Claimed(long epoch) implements CoordinatorMessage {}

  /** The rank cannot join. */
  record Refused(@Clipped String reason) implements CoordinatorMessage {}

  /** This member is over, since a later one replaced it or the epoch ended. */
  record Fenced(@Clipped String reason) implements CoordinatorMessage {}

  /** The rank is to verify this checkpoint, and to vote. */
  record Verify(long epoch, CheckpointId id) implements CoordinatorMessage {}

  /**
   * Every rank resumes from this checkpoint.
   *
   * @param id the checkpoint, or empty to start afresh
   * @param parent the checkpoint as the next manifest names it
   * @param ancestry of the new epoch
   * @param refusals why newer common checkpoints were refused; empty if none was
   */
  record Resume(
      long epoch,
      Optional<CheckpointId> id,
      Optional<Parent> parent,
      Ancestry ancestry,
      @Clipped String refusals)
      implements CoordinatorMessage {}

  /** A planned change of cadence. Each rank votes whether it received the plan in time. */
  record CadencePlanned(long epoch, CadencePlan plan) implements CoordinatorMessage {}

  /** Whether a planned change is adopted. */
  record CadenceDecided(long epoch, long version, boolean adopted) implements CoordinatorMessage {}

  /**
   * A rank is endangered, or has computed its last iteration: each rank sends this iteration to
   * every level that it was not due at, and to STORE if the group gave it up there.
   *
   * @param iteration the newest that is sealed at DEVICE; -1 if nothing can be saved
   */
  record Rescue(long epoch, long iteration) implements CoordinatorMessage {}

  /**
   * Each rank sends an iteration to these levels now, except for those that it was due at.
   *
   * @param iteration is sealed at DEVICE; or, if the group captures nothing there, is one that
   *     ranks have not reached, and are to capture for these levels
   */
  record Promote(long epoch, long iteration, Set<Level> levels) implements CoordinatorMessage {
    /** Copies the set. */
    public Promote {
      levels = Level.where(levels::contains);
    }
  }

  /** The outcome of the group's checkpoint at a level. */
  record Settled(long epoch, long iteration, Level level, @Clipped Outcome outcome)
      implements CoordinatorMessage {
    /** Refuses an outcome that a ticket alone has. */
    public Settled {
      if (outcome instanceof Outcome.Captured || outcome instanceof Outcome.Fenced) {
        throw new IllegalArgumentException("no level settles as " + outcome);
      }
    }
  }
}
