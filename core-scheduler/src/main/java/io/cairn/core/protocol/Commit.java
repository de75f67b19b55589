package io.cairn.core.protocol;

import io.cairn.core.model.Digest;
import java.util.List;
import java.util.Optional;

/**
 * Publishes one manifest: write it under a temporary name, publish that under the final name if
 * absent, read back, and believe only what was read.
 *
 * <p>The store may apply an operation whose reply is lost, may apply a publish after its client
 * gave up, and may fail at any step. So {@link CommitOutcome.Committed} needs our digest read back
 * (a nonce makes it unique per attempt), and {@link CommitOutcome.Failed} needs the temporary
 * manifest deleted, by a delete that itself reported success, and then the final name read as
 * absent or as another's: after that no publish of ours can land. Everything else is {@link
 * CommitOutcome.Unknown}, and nothing more is deleted. The order delete, then read also serves
 * stores that publish by link and unlink, where both names can exist for a moment.
 *
 * <p>What was read back may still be undone by a crash of the store: HDFS shows a rename before its
 * journal is on disk, a local file system a link before its directory is. A publish that reported
 * success is durable. After one that did not, the commit settles first: it writes and syncs one
 * more file in that directory, under the temporary name, which makes everything before it durable,
 * and deletes it.
 *
 * <p>A value: {@link #on} returns the next one. Thread-safe.
 */
public record Commit(State state, Digest ours) {
  private static final String REPORTED = "publish reported success";

  /** Where an attempt is. */
  public sealed interface State {
    /** Nothing was done yet. */
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

    /** The final name is being read once more: what it says now stays. */
    record Confirming(String reason) implements State {}

    /** It is published; one more file is being written, so that it stays. */
    record Settling(String doubt) implements State {}

    /** It is published to stay; that file is being deleted. */
    record Tidying() implements State {}

    /** Over. */
    record Done(CommitOutcome outcome) implements State {}
  }

  /** What the store answered. */
  public sealed interface Event {
    /** Start. */
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

    /** The operation under way gave an error, or no answer. */
    record Lost(String reason) implements Event {}
  }

  /** What the store is asked to do. */
  public enum Action {
    /** Create the temporary manifest, write it, sync it. */
    WRITE,
    /** Publish it under the final name if that is absent. */
    PUBLISH,
    /** Read the final name and compute the digest. */
    READ,
    /** Delete the temporary manifest. */
    DELETE
  }

  /** The state after an event, and what to do next. */
  public record Step(Commit next, List<Action> actions) {}

  /** An attempt to publish the manifest with this digest. */
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
