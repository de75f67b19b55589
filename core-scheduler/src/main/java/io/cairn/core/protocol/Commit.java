package io.cairn.core.protocol;

import io.cairn.Digest;
import java.util.List;
import java.util.Optional;

/**
 * Publishes one manifest. It writes the manifest under a temporary name, publishes it under the
 * final name if that is absent, and reads it back. It reports only outcomes that the reads prove.
 *
 * <p>A value: {@link #on} returns the next one. Thread-safe.
 */
public record Commit(State state, Digest ours) {
  /*
   * Faults
   *
   * The store may apply an operation whose reply is lost, may apply a publish after its client
   * stopped waiting, and may fail at any step.
   *
   * Proof
   *
   * Committed needs the digest of this manifest to be read back; a nonce makes it unique. Failed
   * needs two steps: a delete of the temporary manifest that reported success, and then a read that
   * finds the final name absent or with another digest. After both, no publish of this attempt can
   * take effect. Every other end is Unknown, and the commit deletes nothing more. Deleting before
   * reading also serves stores that publish by link and unlink, where both names exist for a
   * moment.
   *
   * Durability
   *
   * A crash of the store may undo a manifest that was read back: HDFS shows a rename before its
   * journal is on disk, a local file system a link before its directory is. A publish that reported
   * success is durable. After any other publish the commit settles: it writes and syncs one more
   * file under the temporary name, which makes all earlier operations durable, and deletes it.
   */

  private static final String REPORTED = "publish reported success";

  /** The progress of an attempt. */
  public sealed interface State {
    /** The attempt has not begun. */
    record Ready() implements State {}

    /** The temporary manifest is being written and synced. */
    record Writing() implements State {}

    /** The publish is under way. */
    record Publishing() implements State {}

    /** The final name is being read, after a publish that reported success. */
    record ReadingBack() implements State {}

    /** The final name is being read, after a publish that did not. */
    record Doubting(String doubt) implements State {}

    /** The temporary manifest is being deleted, so that no publish can land any more. */
    record Withdrawing(String reason) implements State {}

    /** The final name is being read again; its content will not change any more. */
    record Confirming(String reason) implements State {}

    /** It is published; one more file is being written to make it durable. */
    record Settling(String doubt) implements State {}

    /** It is published and durable; that file is being deleted. */
    record Tidying() implements State {}

    /** The attempt ended. */
    record Done(CommitOutcome outcome) implements State {}
  }

  /** An answer of the store. */
  public sealed interface Event {
    /** Begins the attempt. */
    record Begin() implements Event {}

    /** The temporary manifest is written and synced. */
    record Written() implements Event {}

    /** The publish reported success. */
    record Published() implements Event {}

    /** The publish was refused: the final name exists. */
    record Exists() implements Event {}

    /** The final name was read: its digest, or empty if it does not exist. */
    record Read(Optional<Digest> digest) implements Event {}

    /** The delete reported that it removed the temporary manifest. */
    record Deleted() implements Event {}

    /** The delete found nothing to remove. */
    record Missing() implements Event {}

    /** The operation returned an error, or no answer. */
    record Lost(String reason) implements Event {}
  }

  /** An operation that the store is asked for. */
  public enum Action {
    /** Creates, writes and syncs the temporary manifest. */
    WRITE,
    /** Publishes it under the final name if that is absent. */
    PUBLISH,
    /** Reads the final name and computes the digest. */
    READ,
    /** Deletes the temporary manifest. */
    DELETE
  }

  /** The state after an event, and the next operations. */
  public record Step(Commit next, List<Action> actions) {}

  /** A new attempt to publish the manifest with this digest. */
  public static Commit of(Digest manifest) {
    return new Commit(new State.Ready(), manifest);
  }

  /** The outcome, once it is known. */
  public Optional<CommitOutcome> outcome() {
    return state instanceof State.Done done ? Optional.of(done.outcome()) : Optional.empty();
  }

  /**
   * The next state.
   *
   * @throws IllegalStateException if the event answers no action of this state
   */
  public Step on(Event event) {
    if (state instanceof State.Ready && event instanceof Event.Begin) {
      return go(new State.Writing(), Action.WRITE);
    } else if (state instanceof State.Writing) {
      return whileWriting(event);
    } else if (state instanceof State.Publishing) {
      return whilePublishing(event);
    } else if (state instanceof State.ReadingBack) {
      return whileReading(event, REPORTED, done(new CommitOutcome.Committed()));
    } else if (state instanceof State.Doubting doubting) {
      return whileReading(event, doubting.doubt(), settle(doubting.doubt()));
    } else if (state instanceof State.Withdrawing withdrawing) {
      return whileWithdrawing(withdrawing, event);
    } else if (state instanceof State.Confirming confirming) {
      return whileConfirming(confirming, event);
    }
    return whileSettling(event);
  }

  private Step whileWriting(Event event) {
    if (event instanceof Event.Written) {
      return go(new State.Publishing(), Action.PUBLISH);
    } else if (event instanceof Event.Lost lost) {
      return go(new State.Withdrawing("manifest not written: " + lost.reason()), Action.DELETE);
    }
    throw unexpected(event);
  }

  private Step whilePublishing(Event event) {
    if (event instanceof Event.Published) {
      return go(new State.ReadingBack(), Action.READ);
    } else if (event instanceof Event.Exists) {
      return go(new State.Doubting("a manifest is already published"), Action.READ);
    } else if (event instanceof Event.Lost lost) {
      return go(new State.Doubting("publish unanswered: " + lost.reason()), Action.READ);
    }
    throw unexpected(event);
  }

  private Step whileReading(Event event, String doubt, Step ifOurs) {
    if (event instanceof Event.Read read) {
      return isOurs(read) ? ifOurs : go(new State.Withdrawing(doubt), Action.DELETE);
    } else if (event instanceof Event.Lost lost) {
      return unknown(doubt + ", and not read back: " + lost.reason());
    }
    throw unexpected(event);
  }

  private Step whileWithdrawing(State.Withdrawing withdrawing, Event event) {
    if (event instanceof Event.Deleted) {
      return go(new State.Confirming(withdrawing.reason()), Action.READ);
    } else if (event instanceof Event.Missing) {
      return unknown(withdrawing.reason() + ", and its temporary manifest was not found");
    } else if (event instanceof Event.Lost lost) {
      return unknown(withdrawing.reason() + ", and not withdrawn: " + lost.reason());
    }
    throw unexpected(event);
  }

  private Step whileConfirming(State.Confirming confirming, Event event) {
    if (event instanceof Event.Read read) {
      return isOurs(read)
          ? settle(confirming.reason())
          : done(new CommitOutcome.Failed(confirming.reason()));
    } else if (event instanceof Event.Lost lost) {
      return unknown(confirming.reason() + ", and not confirmed: " + lost.reason());
    }
    throw unexpected(event);
  }

  private Step whileSettling(Event event) {
    if (state instanceof State.Settling && event instanceof Event.Written) {
      return go(new State.Tidying(), Action.DELETE);
    } else if (state instanceof State.Settling settling && event instanceof Event.Lost lost) {
      return unknown(
          settling.doubt() + ", published, and not known to be durable: " + lost.reason());
    } else if (state instanceof State.Tidying
        && (event instanceof Event.Deleted
            || event instanceof Event.Missing
            || event instanceof Event.Lost)) {
      return done(new CommitOutcome.Committed());
    }
    throw unexpected(event);
  }

  private boolean isOurs(Event.Read read) {
    return read.digest().filter(ours::equals).isPresent();
  }

  private Step settle(String doubt) {
    return go(new State.Settling(doubt), Action.WRITE);
  }

  private Step unknown(String reason) {
    return done(new CommitOutcome.Unknown(reason));
  }

  private Step done(CommitOutcome outcome) {
    return new Step(new Commit(new State.Done(outcome), ours), List.of());
  }

  private Step go(State next, Action action) {
    return new Step(new Commit(next, ours), List.of(action));
  }

  private IllegalStateException unexpected(Event event) {
    return new IllegalStateException("commit in " + state + " cannot take " + event);
  }
}
