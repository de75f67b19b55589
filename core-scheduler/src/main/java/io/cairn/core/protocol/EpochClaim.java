package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import java.util.Locale;
import java.util.Optional;

/**
 * Takes the next epoch of a group by exclusive creation of a file that is named after the number. A
 * claim whose creation was not answered abandons that number and tries the next. So two claims
 * never share an epoch, whichever answers the store loses. Numbers rise, but may have gaps.
 *
 * <p>A value: {@link #on} returns the next one.
 *
 * @param state the progress of the claim
 * @param attemptsLeft creations that may still fail before the claim gives up
 */
public record EpochClaim(State state, int attemptsLeft) {
  /** Creations before a claim gives up. */
  public static final int ATTEMPTS = 100;

  /** The attempts that an unanswered creation costs, since the wait for it is long. */
  private static final int LOST_COSTS = 20;

  /** The most creations of a claim that are not answered. */
  public static final int MOST_LOST = ATTEMPTS / LOST_COSTS;

  /** The progress of a claim; {@link Listing} and {@link Creating} ask the store for just that. */
  public sealed interface State {
    /** The store is to list the group's epochs. */
    record Listing() implements State {}

    /** The store is to create the file of this number exclusively. */
    record Creating(long epoch) implements State {}

    /** This claim took the epoch. */
    record Taken(long epoch) implements State {}

    /** No epoch could be taken. */
    record GaveUp(String reason) implements State {}
  }

  /** An answer of the store. */
  public sealed interface Event {
    /** The highest number that exists, 0 if none. */
    record Listed(long highest) implements Event {}

    /** This call created the file. */
    record Created() implements Event {}

    /** The file exists: another claim was faster. */
    record Exists() implements Event {}

    /** An error, or no answer: the file may exist, or appear later. */
    record Lost(String reason) implements Event {}
  }

  /** A new claim; it begins with a listing. */
  public static EpochClaim begin() {
    return new EpochClaim(new State.Listing(), ATTEMPTS);
  }

  /** The epoch, once taken. */
  public Optional<Long> epoch() {
    return state instanceof State.Taken taken ? Optional.of(taken.epoch()) : Optional.empty();
  }

  /**
   * The next state.
   *
   * @throws IllegalStateException if the event answers no request of this state
   */
  public EpochClaim on(Event event) {
    if (state instanceof State.Listing && event instanceof Event.Listed listed) {
      return listed.highest() < CheckpointId.MAX_EPOCH
          ? with(new State.Creating(listed.highest() + 1))
          : with(new State.GaveUp(tooHigh(listed.highest())));
    } else if (state instanceof State.Listing && event instanceof Event.Lost lost) {
      return with(new State.GaveUp("epochs not listed: " + lost.reason()));
    } else if (state instanceof State.Creating creating) {
      if (event instanceof Event.Created) {
        return with(new State.Taken(creating.epoch()));
      } else if (event instanceof Event.Exists) {
        return retry(creating.epoch() + 1, 1, "another claim is always faster");
      } else if (event instanceof Event.Lost lost) {
        return retry(creating.epoch() + 1, LOST_COSTS, "creation unanswered: " + lost.reason());
      }
    }
    throw new IllegalStateException("claim in " + state + " cannot take " + event);
  }

  private static String tooHigh(long highest) {
    return String.format(
        Locale.ROOT,
        "epoch %d exists or was reported, and the greatest is %d: delete what is named after it",
        highest,
        CheckpointId.MAX_EPOCH);
  }

  private EpochClaim retry(long next, int cost, String reason) {
    return attemptsLeft <= cost
        ? new EpochClaim(new State.GaveUp(reason + ", however often it was tried"), 0)
        : new EpochClaim(new State.Creating(next), attemptsLeft - cost);
  }

  private EpochClaim with(State next) {
    return new EpochClaim(next, attemptsLeft);
  }
}
