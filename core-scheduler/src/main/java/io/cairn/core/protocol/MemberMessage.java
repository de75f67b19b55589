package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.codec.Clipped;
import io.cairn.core.model.ContainerSummary;
import java.util.List;
import java.util.Optional;

/**
 * A message of a rank to the coordinator of its group. Any message may arrive twice or late. The
 * coordinator ignores a message of an older epoch.
 */
public sealed interface MemberMessage extends CoordinatorEvent {
  /** The sender. */
  int rank();

  /** A message of a member of an epoch. */
  sealed interface InEpoch extends MemberMessage {
    /** The epoch that the sender is a member of. */
    long epoch();
  }

  /**
   * A start, a retry or a rollback of this rank, which needs a new epoch.
   *
   * @param incarnation unique per join, so that a join that was sent again is recognised
   */
  record Join(int rank, int size, String incarnation, Origin origin) implements MemberMessage {
    /** The same join, of a rank that knows at least this epoch. */
    public Join above(long epoch) {
      return new Join(rank, size, incarnation, origin.atLeast(epoch));
    }
  }

  /**
   * This incarnation gave its join up, such as by a cancellation. The group does not wait for it,
   * nor begin an epoch with it.
   *
   * @param failed whether its restore failed, so that the other ranks need not wait for another try
   */
  record Withdraw(int rank, String incarnation, boolean failed) implements MemberMessage {}

  /**
   * The checkpoints that this rank can restore, in any order; none if it wants to start afresh.
   *
   * @param outOfReach whether it wanted the copy at NODE that {@link CoordinatorMessage.Joined}
   *     named, and has waited in vain for its node
   */
  record Offer(int rank, long epoch, List<Candidate> candidates, boolean outOfReach)
      implements InEpoch {
    /** Copies the list. */
    public Offer {
      candidates = List.copyOf(candidates);
    }

    /** Of a rank that lacks no copy that it was told of. */
    public Offer(int rank, long epoch, List<Candidate> candidates) {
      this(rank, epoch, candidates, false);
    }
  }

  /**
   * The result of verifying the proposed checkpoint.
   *
   * @param level of the nearest copy that this rank can read; empty if it can read none
   * @param refusal why it did not verify; empty if it did
   */
  record Vote(int rank, long epoch, CheckpointId id, Optional<Level> level, @Clipped String refusal)
      implements InEpoch {}

  /**
   * This rank's data is held at the level, and its holder verified it.
   *
   * @param containers at STORE, all containers of the rank for the manifest that the coordinator
   *     commits; none at other levels, since each rank publishes its own part at NODE
   * @param measured the cost of the checkpoint at this level
   */
  record Held(
      int rank,
      long epoch,
      long iteration,
      Level level,
      List<ContainerSummary> containers,
      Measurement measured)
      implements InEpoch {
    /** Copies the list. */
    public Held {
      containers = List.copyOf(containers);
    }
  }

  /** This rank's data will not reach the level. */
  record GaveUp(int rank, long epoch, long iteration, Level level, Why why, @Clipped String reason)
      implements InEpoch {
    /** The kind of the reason. */
    public enum Why {
      /** An error. */
      FAILED,
      /** The level cannot take the checkpoint now, although nothing failed. */
      SKIPPED,
      /** The level cannot protect the group where it runs, as if nothing were due there. */
      NOT_DUE
    }
  }

  /** Whether this rank received a planned cadence before it reached the first iteration of it. */
  record CadenceVote(int rank, long epoch, long version, boolean inTime) implements InEpoch {}

  /** The process of this rank is about to end; data held at DEVICE alone will be lost. */
  record Endangered(int rank, long epoch) implements InEpoch {}

  /**
   * This rank captures its last iteration once more, since its group gave that up at DEVICE: every
   * rank reports it anew. Once for an iteration; a further message changes nothing.
   */
  record Again(int rank, long epoch, long iteration) implements InEpoch {}

  /**
   * This rank computes no further iteration, and waits until the group's newest checkpoint is
   * settled at every level.
   *
   * @param iteration the newest that this rank captured, or what it restored
   */
  record Ending(int rank, long epoch, long iteration, End end) implements InEpoch {}

  /** How a rank's part in its epoch ends. */
  enum End {
    /** It stops after the iteration, for whatever reason, and may be resumed. */
    STOPPED,

    /** Its training ended with the iteration, which it captured. */
    CAPTURED,

    /** Its training ended with what it restored. It captured nothing, and found that at STORE. */
    RESTORED
  }

  /** This rank ends its part in order. */
  record Leave(int rank, long epoch) implements InEpoch {}
}
