package io.cairn.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.protocol.CoordinatorAction.LookAgain;
import io.cairn.core.protocol.CoordinatorAction.Remind;
import io.cairn.core.protocol.CoordinatorAction.ReportTrouble;
import io.cairn.core.protocol.CoordinatorAction.Send;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ranks that wait for others are reported, and not for ever. */
class GroupCoordinatorWaitTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int SIZE = 6;
  private static final Origin ORIGIN = new Origin("birth", 0);

  private final GroupCoordinator coordinator =
      new GroupCoordinator(
          Paths.GROUP,
          SIZE,
          CadencePolicy.fixed(CadencePlan.every(1, 10, 50)),
          Duration.ofSeconds(25));

  private List<CoordinatorAction> on(CoordinatorEvent event, long second) {
    return coordinator.on(event, second * SECOND);
  }

  private List<CoordinatorAction> join(int rank, long second) {
    return on(new MemberMessage.Join(rank, SIZE, "attempt-" + rank, ORIGIN), second);
  }

  private List<CoordinatorAction> remind(long second) {
    return on(new CoordinatorEvent.Reminded(), second);
  }

  private void joinAll() {
    for (int rank = 0; rank < SIZE; rank++) {
      join(rank, 0);
    }
  }

  private static String refusal(CoordinatorAction action) {
    return ((CoordinatorMessage.Refused) ((Send) action).message()).reason();
  }

  @Test
  void missingRanksAreReportedEveryTenSeconds() {
    assertThat(join(1, 0)).containsExactly(new Remind(10 * SECOND));
    assertThat(join(5, 1)).isEmpty();

    assertThat(remind(10))
        .containsExactly(
            new ReportTrouble(
                "2 of 6 ranks have joined, the last one 9 s ago; missing: ranks 0, 2-4"),
            new Remind(10 * SECOND));
    assertThat(remind(20)).first().asString().contains("19 s ago");
  }

  @Test
  void aMissingRankEndsTheWaitOfTheOthers() {
    join(1, 0);
    join(5, 1);
    assertThat(remind(20)).last().isEqualTo(new Remind(6 * SECOND));

    List<CoordinatorAction> actions = remind(26);

    assertThat(actions).extracting(action -> ((Send) action).rank()).containsExactly(1, 5);
    assertThat(actions)
        .extracting(GroupCoordinatorWaitTest::refusal)
        .allMatch(reason -> reason.contains("missing: ranks 0, 2-4"))
        .allMatch(reason -> reason.contains("joinTimeout"))
        .allMatch(reason -> reason.contains("from 0 to 5"));
  }

  @Test
  void refusedRanksMayJoinAgain() {
    join(1, 0);
    remind(25);

    for (int rank = 0; rank < SIZE; rank++) {
      on(new MemberMessage.Join(rank, SIZE, "second-" + rank, ORIGIN), 30);
    }

    assertThat(on(new CoordinatorEvent.EpochTaken(1), 31)).hasSize(SIZE);
  }

  @Test
  void anotherRankThatJoinsExtendsTheWait() {
    join(1, 0);
    join(2, 20);

    assertThat(remind(30)).noneMatch(Send.class::isInstance);
    assertThat(remind(45)).filteredOn(Send.class::isInstance).hasSize(2);
  }

  @Test
  void aJoinThatArrivesAgainDoesNotExtendTheWait() {
    join(1, 0);
    join(1, 20);

    assertThat(remind(25)).filteredOn(Send.class::isInstance).hasSize(1);
  }

  @Test
  void aStoreThatConfirmsNoEpochIsReported() {
    joinAll();

    assertThat(remind(40))
        .containsExactly(
            new ReportTrouble(
                "every rank has joined, but the store has not confirmed the epoch for 40 s"),
            new Remind(10 * SECOND));
  }

  @Test
  void aRankThatOffersNothingIsReported() {
    joinAll();
    on(new CoordinatorEvent.EpochTaken(1), 1);
    for (int rank = 0; rank < SIZE - 1; rank++) {
      on(new MemberMessage.Offer(rank, 1, List.of()), 2);
    }

    assertThat(remind(11))
        .contains(
            new ReportTrouble(
                "every rank has joined, but rank 5 called neither restore nor checkpoint for"
                    + " 10 s"));
  }

  @Test
  void aGroupThatResumedWaitsForNothing() {
    joinAll();
    on(new CoordinatorEvent.EpochTaken(1), 1);
    for (int rank = 0; rank < SIZE; rank++) {
      on(new MemberMessage.Offer(rank, 1, List.of()), 2);
    }

    assertThat(remind(10)).isEmpty();
  }

  private List<CoordinatorAction> look(long second) {
    return on(new CoordinatorEvent.LookAtWaits(), second);
  }

  private void held(int rank, long iteration) {
    on(new MemberMessage.Held(rank, 1, iteration, Level.DEVICE, List.of(), Measurement.NONE), 100);
  }

  private void resumed() {
    joinAll();
    on(new CoordinatorEvent.EpochTaken(1), 1);
    for (int rank = 0; rank < SIZE; rank++) {
      on(new MemberMessage.Offer(rank, 1, List.of()), 2);
    }
  }

  @Test
  void ranksThatReportNoMoreAreNamed() {
    resumed();
    for (int rank = 0; rank < SIZE; rank++) {
      held(rank, 0);
    }
    held(0, 1);
    held(1, 1);
    held(3, 1);
    held(3, 2);

    assertThat(look(100)).containsExactly(new LookAgain(60 * SECOND));
    assertThat(look(160))
        .containsExactly(
            new ReportTrouble(
                "e1-i1 has waited for ranks 2, 4-5 for 60 s; see whether it still trains, and its"
                    + " log"),
            new LookAgain(60 * SECOND));
    assertThat(look(220)).last().isEqualTo(new LookAgain(120 * SECOND));
    assertThat(look(280)).noneMatch(ReportTrouble.class::isInstance);
    assertThat(look(340)).anyMatch(ReportTrouble.class::isInstance);
  }

  @Test
  void aGroupThatGoesOnWaitsForNobody() {
    resumed();
    for (int iteration = 0; iteration < 5; iteration++) {
      held(0, iteration);
      assertThat(look(100 + 60L * iteration)).noneMatch(ReportTrouble.class::isInstance);
      for (int rank = 1; rank < SIZE; rank++) {
        held(rank, iteration);
      }
    }

    assertThat(look(1000)).as("nobody waits, so nobody looks again").isEmpty();
  }
}
