package io.cairn.core.protocol;

import java.util.Optional;

/**
 * Takes the next epoch of a group by exclusive creation of a file named after the number. An answer
 * that is lost burns the number: whoever owns it, it is not us, and the next higher one is as good.
 * So a claim never shares an epoch with another one, whatever the store loses. Numbers rise, but
 * may have gaps.
 *
 * <p>A value: {@link #on} returns the next one.
 *
 * @param state where the claim is
 * @param attemptsLeft creations that may still fail before it gives up
 */
public record EpochClaim(State state, int attemptsLeft) {
  /** Creations before a claim gives up. */
  public static final int ATTEMPTS = 100;

  /** What an unanswered creation costs: a store that does not answer is slow to say so. */
  private static final int LOST_COSTS = 20;

  /** Where a claim is; a listing or creation in a state asks the store for just that. */
  public sealed interface State {
    /** The group's epochs are to be listed. */
    record Listing() implements State {}

    /** This number is to be created exclusively. */
    record Creating(long epoch) implements State {}

    /** The epoch is ours. */
    record Taken(long epoch) implements State {}

    /** No epoch could be taken. */
    record GaveUp(String reason) implements State {}
  }

  /** What the store answered. */
  public sealed interface Event {
    /** The highest number that exists, 0 if none. */
    record Listed(long highest) implements Event {}

    /** The file was created by this call. */
    record Created() implements Event {}

    /** The file exists: another claim was faster. */
    record Exists() implements Event {}

    /** An error, or no answer: the file may or may not exist, or appear later. */
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
   * @throws IllegalStateException if the event answers nothing that this state asked for
   */
  public EpochClaim on(Event event) {
    if (state instanceof State.Listing && event instanceof Event.Listed listed) {
      return with(new State.Creating(listed.highest() + 1));
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

  private EpochClaim retry(long next, int cost, String reason) {
    return attemptsLeft <= cost
        ? new EpochClaim(new State.GaveUp(reason + ", however often it was tried"), 0)
        : new EpochClaim(new State.Creating(next), attemptsLeft - cost);
  }

  private EpochClaim with(State next) {
    return new EpochClaim(next, attemptsLeft);
  }
}
