package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.cadence.CadenceSearch;
import io.cairn.core.cadence.Learned;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** An input of a coordinator: a message of a member, or the result of an action. */
public sealed interface CoordinatorEvent permits MemberMessage, CoordinatorEvent.FromCarrier {
  /** A report of the carrier, which carries the coordinator's actions out. */
  sealed interface FromCarrier extends CoordinatorEvent {}

  /**
   * The claimed epoch is taken.
   *
   * @param atStore the surveys of STORE since then, by rank; none if it could not be listed
   * @param anySealed false if it is certain that the group never sealed a checkpoint above DEVICE
   * @param standing whether STORE has its claim; without one the epoch begins all the same
   */
  record EpochTaken(
      long epoch, Map<Integer, RankSurvey> atStore, boolean anySealed, Standing standing)
      implements FromCarrier {
    /** Copies the map. */
    public EpochTaken {
      atStore = Map.copyOf(atStore);
    }

    /** With a claim, of a coordinator that began no epoch without one. */
    public EpochTaken(long epoch, Map<Integer, RankSurvey> atStore, boolean anySealed) {
      this(epoch, atStore, anySealed, Standing.CLAIMED);
    }

    /** Without surveys, of a group that may have sealed a checkpoint. */
    public EpochTaken(long epoch) {
      this(epoch, Map.of(), true);
    }
  }

  /**
   * STORE was asked once more for the claim of an epoch that began without one. Where another
   * attempt was faster, {@link Superseded} comes instead.
   *
   * @param claimed whether it has the claim now; if not, it takes no file, or was asked a moment
   *     ago
   */
  record ClaimEnded(long epoch, boolean claimed) implements FromCarrier {}

  /**
   * A later epoch is taken for the members of one that has begun.
   *
   * @param instead the epoch that has begun
   */
  record LaterEpochTaken(long instead, EpochTaken taken) implements FromCarrier {}

  /** No later epoch is taken in the place of this one. */
  record EpochStays(long epoch) implements FromCarrier {}

  /**
   * The measurements that were kept with the group's newest checkpoint. Precedes the first epoch.
   *
   * @param end the last checkpoint of a training that ended in order; empty if it failed
   */
  record Remembered(Learned learned, Optional<CheckpointId> end) implements FromCarrier {}

  /** What STORE knows of the group's newest seal at NODE. Precedes an epoch. */
  record NodeSealFound(NodeSeal seal) implements FromCarrier {}

  /**
   * A rank is about to vote for a checkpoint, with which these measurements were kept.
   *
   * @param from the checkpoint
   * @param ended whether the checkpoint itself was the end of its training; if not, only the
   *     {@linkplain Remembered#end STORE} may know that it was
   */
  record Recalled(Learned learned, CheckpointId from, boolean ended) implements FromCarrier {}

  /**
   * The group's birth at STORE.
   *
   * @param birth empty if the group has none there, or it cannot be read
   * @param store describes the store, for people
   */
  record BirthFound(String birth, String store) implements FromCarrier {
    /** The reason to refuse a rank of another birth. */
    public String refusal(GroupId group, int rank) {
      return String.format(
          Locale.ROOT,
          ("rank %d of %s has another store than its coordinator, which uses %s. Nobody would"
              + " find its checkpoints: give all processes the same store, mounted on every"
              + " machine"),
          rank,
          group,
          store);
    }
  }

  /** No epoch could be taken. */
  record EpochRefused(String reason) implements FromCarrier {}

  /** The time of a {@link CoordinatorAction.Remind} is over. */
  record Reminded() implements FromCarrier {}

  /** It is time to look whether ranks wait for others; see {@link CoordinatorAction.LookAgain}. */
  record LookAtWaits() implements FromCarrier {}

  /**
   * An epoch of this coordinator is over: another application runs the job.
   *
   * @param epoch the one that is over, and all before it
   * @param reason names the later epoch and its holder, for people
   */
  record Superseded(long epoch, String reason) implements FromCarrier {}

  /**
   * The result of a search.
   *
   * @param tookNanos of computing
   */
  record CadenceFound(CadenceSearch search, CadenceSearch.Found found, long tookNanos)
      implements FromCarrier {}

  /** The outcome of a commit, and the digest of its manifest. */
  record CommitEnded(CheckpointId id, Digest digest, CommitOutcome outcome) implements FromCarrier {
    private static final Digest OF_NOTHING = Digest.of(new byte[0]);

    /** A commit whose manifest does not count; the digest is that of no bytes. */
    public static CommitEnded uncommitted(CheckpointId id, CommitOutcome outcome) {
      return new CommitEnded(id, OF_NOTHING, outcome);
    }
  }
}
