package io.cairn.core.sharing;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import java.util.List;

/** What a {@link LeaseBook} reacts to: senders, and its own process. */
public sealed interface LeaseEvent permits LeaseRequest, LeaseEvent.Local {
  /** Something that the receiver's own process says: never lost, never twice. */
  sealed interface Local extends LeaseEvent {}

  /** The cache lends these slots, which nobody uses; what it still wanted back it wants no more. */
  record Lend(List<Integer> slots) implements Local {
    /** Copies the list. */
    public Lend {
      slots = Bounds.numbers("slots", slots);
    }
  }

  /**
   * The trainer wants so many slots back, together with those that it waits for. Open ones are
   * returned at once, others as soon as they can be: what is held elsewhere first, then by moving
   * or dropping what is held until the deadline, and what is being written last, since only its
   * sender can give that back.
   */
  record TakeBack(int count, long deadlineNanos) implements Local {
    /** Checks the range. */
    public TakeBack {
      Bounds.range("the number of slots", count, 1, Integer.MAX_VALUE);
    }
  }

  /**
   * Answers one {@link LeaseAction.Verify}, naming each of its positions: which have the checksum
   * they came with. One that could not be read is damaged.
   */
  record Verified(LeaseId id, List<Integer> whole, List<Integer> damaged) implements Local {
    /** Copies the lists. */
    public Verified {
      whole = Bounds.numbers("positions", whole);
      damaged = Bounds.numbers("positions", damaged);
    }
  }

  /**
   * Answers one {@link LeaseAction.MoveOrDrop}, naming each of its positions: what is in another
   * place now, and what is not.
   */
  record Moved(LeaseId id, List<Integer> moved, List<Integer> dropped) implements Local {
    /** Copies the lists. */
    public Moved {
      moved = Bounds.numbers("positions", moved);
      dropped = Bounds.numbers("positions", dropped);
    }
  }

  /** These chunks have a verified copy at NODE or above. */
  record Flushed(LeaseId id, List<Integer> positions) implements Local {
    /** Copies the list. */
    public Flushed {
      positions = Bounds.numbers("positions", positions);
    }
  }

  /** Somebody wants to read what is held; answered by {@link LeaseAction.Read}. */
  record Pin(LeaseId id) implements Local {}

  /** Ends one pin that was answered with chunks. */
  record Unpin(LeaseId id) implements Local {}

  /** The owner's policy: nothing of this lease is worth its memory any more. */
  record Drop(LeaseId id) implements Local {}

  /** Proof that this process is dead and that no write of it can land any more. */
  record SenderDead(String holder) implements Local {}

  /** The group has begun this epoch. */
  record EpochBegun(GroupId group, long epoch) implements Local {
    /** Checks the range. */
    public EpochBegun {
      Bounds.range("an epoch", epoch, 1, CheckpointId.MAX_NUMBER);
    }
  }

  /** Time has passed. */
  record Clock() implements Local {}
}
