package io.cairn.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.protocol.EpochClaim.Event;
import io.cairn.core.protocol.EpochClaim.State;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EpochClaimTest {
  private static final List<Event> EVENTS =
      List.of(
          new Event.Listed(7),
          new Event.Created(),
          new Event.Exists(),
          new Event.Lost("connection reset"));

  @Test
  void takesTheNextNumber() {
    EpochClaim claim = EpochClaim.begin().on(new Event.Listed(0));
    assertThat(claim.state()).isEqualTo(new State.Creating(1));
    assertThat(claim.epoch()).isEmpty();
    assertThat(claim.on(new Event.Created()).epoch()).contains(1L);
  }

  @Test
  void takesNoNumberBeyondTheGreatest() {
    long beyond = 999_999_999_999_999_999L;

    EpochClaim claim = EpochClaim.begin().on(new Event.Listed(beyond));

    assertThat(claim.epoch()).isEmpty();
    assertThat(claim.state()).isInstanceOf(State.GaveUp.class).asString().contains("" + beyond);
  }

  @Test
  void claimsAboveAFasterClaim() {
    EpochClaim claim = creatingAfter(3).on(new Event.Exists()).on(new Event.Exists());
    assertThat(claim.on(new Event.Created()).epoch()).contains(6L);
  }

  @Test
  void anUnansweredCreationBurnsTheNumber() {
    EpochClaim claim = creatingAfter(3).on(new Event.Lost("timeout"));
    assertThat(claim.state()).isEqualTo(new State.Creating(5));
    assertThat(claim.epoch()).isEmpty();
  }

  @Test
  void givesUpWhenEpochsCannotBeListed() {
    EpochClaim claim = EpochClaim.begin().on(new Event.Lost("no route to host"));
    assertThat(claim.state()).isEqualTo(new State.GaveUp("epochs not listed: no route to host"));
  }

  @Test
  void givesUpAfterItsAttempts() {
    assertThat(creationsBeforeGivingUp(new Event.Exists())).isEqualTo(EpochClaim.ATTEMPTS);
    assertThat(creationsBeforeGivingUp(new Event.Lost("full"))).isEqualTo(5);
  }

  @Test
  void theLastAttemptMaySucceed() {
    EpochClaim claim = creatingAfter(0);
    for (int i = 1; i < EpochClaim.ATTEMPTS; i++) {
      claim = claim.on(new Event.Exists());
    }
    assertThat(claim.on(new Event.Created()).epoch()).contains((long) EpochClaim.ATTEMPTS);
    assertThat(claim.on(new Event.Exists()).state())
        .isEqualTo(new State.GaveUp("another claim is always faster, however often it was tried"));
  }

  @Test
  void refusesAnswersThatItDidNotAskFor() {
    assertThat(refused(new State.Listing())).containsExactly(EVENTS.get(1), EVENTS.get(2));
    assertThat(refused(new State.Creating(3))).containsExactly(EVENTS.get(0));
    assertThat(refused(new State.Taken(3))).isEqualTo(EVENTS);
    assertThat(refused(new State.GaveUp("reason"))).isEqualTo(EVENTS);
  }

  @Test
  void refusalNamesStateAndEvent() {
    assertThatThrownBy(() -> EpochClaim.begin().on(new Event.Created()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("claim in Listing[] cannot take Created[]");
  }

  /** Two claims against one set of numbers never hold the same one, whoever is faster. */
  @Test
  void racingClaimsDiffer() {
    EpochClaim first = creatingAfter(2);
    EpochClaim second = creatingAfter(2).on(new Event.Exists()).on(new Event.Created());
    assertThat(first.on(new Event.Created()).epoch()).isNotEqualTo(second.epoch());
  }

  private static EpochClaim creatingAfter(long highest) {
    return EpochClaim.begin().on(new Event.Listed(highest));
  }

  private static long creationsBeforeGivingUp(Event answer) {
    Function<EpochClaim, EpochClaim> fail = claim -> claim.on(answer);
    EpochClaim[] claim = {creatingAfter(0)};
    return LongStream.rangeClosed(1, 1000)
        .filter(
            i -> {
              claim[0] = fail.apply(claim[0]);
              return claim[0].state() instanceof State.GaveUp;
            })
        .findFirst()
        .orElseThrow();
  }

  private static List<Event> refused(State state) {
    return EVENTS.stream().filter(event -> refuses(new EpochClaim(state, 9), event)).toList();
  }

  private static boolean refuses(EpochClaim claim, Event event) {
    try {
      claim.on(event);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
