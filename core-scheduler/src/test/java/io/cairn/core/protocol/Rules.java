package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.Ancestry;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules that simulated attempts follow: the real ones, or some of them broken on purpose. */
record Rules(Set<Mutation> broken) {
  /** Ways to be wrong. The simulation must notice every one of them. */
  enum Mutation {
    /** An unanswered publish is taken for failed, and the containers are deleted. */
    LOST_PUBLISH_IS_FAILED,
    /** The temporary manifest is deleted and failure concluded, without reading the final name. */
    BELIEVES_WITHOUT_CONFIRMING,
    /** No temporary manifest found means failed, although it may have been renamed. */
    MISSING_IS_FAILED,
    /** A publish refused because the name exists is taken for another's, without reading it. */
    EXISTS_IS_FAILED,
    /** A manifest that was read counts as durable, although a crash of the store can undo it. */
    BELIEVES_WHAT_MAY_BE_UNDONE,
    /** After an unknown outcome the containers are deleted. */
    CLEANS_UP_AFTER_UNKNOWN,
    /** Every manifest counts, whatever line it is on. */
    READER_IGNORES_ANCESTRY,
    /** A new epoch drops the ancestry of the checkpoint that it resumes from. */
    FORGETS_ANCESTORS,
    /** An unanswered creation of an epoch's file is taken for a success. */
    LOST_EPOCH_IS_TAKEN,
    /** The store's checkpoints are listed once, and read while they change. */
    SCANS_ONCE,
    /** A checkpoint that vanished since it was found is passed over, instead of looking again. */
    FALLS_BACK_AT_ONCE,
    /** A checkpoint that cannot be read for the moment is passed over. */
    UNREACHABLE_IS_REFUSED,
    /** A checkpoint is reported without looking whether a newer epoch was taken. */
    REPORTS_WITHOUT_ASKING,
    /** Containers are deleted while a manifest may still be published over them. */
    SWEEPS_CONTAINERS_FIRST,
    /** A checkpoint needs containers of an older epoch, which others may be deleting. */
    NEEDS_ACROSS_EPOCHS,
    /** Retention deletes containers that a kept checkpoint needs. */
    FORGETS_NEEDS,
    /** Retention keeps the newest of its own epoch, whatever else was published. */
    SWEEPS_NEWER_EPOCHS
  }

  static final Rules SOUND = new Rules(Set.of());

  static Rules broken(Mutation... mutations) {
    return new Rules(EnumSet.copyOf(List.of(mutations)));
  }

  boolean breaks(Mutation mutation) {
    return broken.contains(mutation);
  }

  List<CheckpointId> alive(Map<CheckpointId, Ancestry> manifests) {
    return breaks(Mutation.READER_IGNORES_ANCESTRY)
        ? manifests.keySet().stream().sorted(Comparator.reverseOrder()).toList()
        : Lineage.alive(manifests);
  }

  Ancestry continued(Ancestry of, CheckpointId base) {
    return (breaks(Mutation.FORGETS_ANCESTORS) ? Ancestry.NONE : of).continuedFrom(base);
  }

  EpochClaim claim(EpochClaim claim, EpochClaim.Event event) {
    return breaks(Mutation.LOST_EPOCH_IS_TAKEN)
            && claim.state() instanceof EpochClaim.State.Creating
            && event instanceof EpochClaim.Event.Lost
        ? claim.on(new EpochClaim.Event.Created())
        : claim.on(event);
  }

  /** The next step of a commit. */
  Commit.Step commit(Commit commit, Commit.Event event) {
    Commit.State state = commit.state();
    boolean lost = event instanceof Commit.Event.Lost;
    if (state instanceof Commit.State.Publishing) {
      if (lost && breaks(Mutation.LOST_PUBLISH_IS_FAILED)) {
        return failed(commit.ours());
      } else if (event instanceof Commit.Event.Exists && breaks(Mutation.EXISTS_IS_FAILED)) {
        return failed(commit.ours());
      }
    } else if (state instanceof Commit.State.Doubting) {
      if (event instanceof Commit.Event.Read && breaks(Mutation.BELIEVES_WHAT_MAY_BE_UNDONE)) {
        return new Commit(new Commit.State.ReadingBack(), commit.ours()).on(event);
      }
    } else if (state instanceof Commit.State.Withdrawing) {
      if (event instanceof Commit.Event.Deleted && breaks(Mutation.BELIEVES_WITHOUT_CONFIRMING)) {
        return failed(commit.ours());
      } else if (event instanceof Commit.Event.Missing && breaks(Mutation.MISSING_IS_FAILED)) {
        return failed(commit.ours());
      }
    }
    return commit.on(event);
  }

  private static Commit.Step failed(Digest ours) {
    CommitOutcome outcome = new CommitOutcome.Failed("broken on purpose");
    return new Commit.Step(new Commit(new Commit.State.Done(outcome), ours), List.of());
  }
}
