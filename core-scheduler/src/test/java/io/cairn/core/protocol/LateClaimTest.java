package io.cairn.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.protocol.CoordinatorAction.ClaimAgain;
import io.cairn.core.protocol.CoordinatorAction.Send;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An epoch that began without a claim at STORE. */
class LateClaimTest {
  private static final Standing OPEN = new Standing(false, "me", 4, List.of(4L));
  private static final Standing CLAIMED = new Standing(true, "me", 4, List.of(4L));

  private final GroupCoordinator coordinator =
      new GroupCoordinator(
          Paths.GROUP,
          2,
          CadencePolicy.fixed(CadencePlan.every(1, 10, 50)),
          Duration.ofMinutes(30));

  private List<CoordinatorAction> on(CoordinatorEvent event) {
    return coordinator.on(event, 0);
  }

  private List<CoordinatorAction> join(int rank) {
    return on(new MemberMessage.Join(rank, 2, "i" + rank, new Origin("birth", 0)));
  }

  private static Send joined(int rank, Standing standing) {
    CadencePlan cadence = CadencePlan.every(1, 10, 50);
    return new Send(
        rank, "i" + rank, new CoordinatorMessage.Joined(4, cadence, Optional.empty(), standing));
  }

  private List<CoordinatorAction> held(int rank, long iteration) {
    return on(
        new MemberMessage.Held(rank, 4, iteration, Level.DEVICE, List.of(), Measurement.NONE));
  }

  @BeforeEach
  void begin() {
    join(0);
    join(1);
    assertThat(on(new CoordinatorEvent.EpochTaken(4, Map.of(), false, OPEN)))
        .containsExactly(joined(0, OPEN), joined(1, OPEN));
    on(new MemberMessage.Offer(0, 4, List.of()));
    assertThat(on(new MemberMessage.Offer(1, 4, List.of())))
        .as("nobody has reported anything")
        .doesNotHaveAnyElementsOfTypes(ClaimAgain.class);
  }

  @Test
  void eachReportAsksForItOnceAtATime() {
    assertThat(held(0, 0)).contains(new ClaimAgain(4));
    assertThat(held(1, 0)).doesNotHaveAnyElementsOfTypes(ClaimAgain.class);
    assertThat(on(new CoordinatorEvent.ClaimEnded(4, false))).isEmpty();
    assertThat(
            on(
                new MemberMessage.GaveUp(
                    0, 4, 1, Level.NODE, MemberMessage.GaveUp.Why.FAILED, "no claim")))
        .contains(new ClaimAgain(4));
  }

  @Test
  void theRanksLearnOfIt() {
    held(0, 0);
    CoordinatorMessage claimed = new CoordinatorMessage.Claimed(4);

    assertThat(on(new CoordinatorEvent.ClaimEnded(3, true))).as("another epoch's").isEmpty();
    assertThat(on(new CoordinatorEvent.ClaimEnded(4, true)))
        .containsExactly(new Send(0, "i0", claimed), new Send(1, "i1", claimed));
    assertThat(join(1)).as("its join arrived again").containsExactly(joined(1, CLAIMED));
    assertThat(held(0, 1)).doesNotHaveAnyElementsOfTypes(ClaimAgain.class);
  }

  @Test
  void aClaimedEpochAsksForNothing() {
    held(0, 0);
    join(0);
    on(new CoordinatorEvent.Superseded(4, "another attempt was faster"));
    on(new MemberMessage.Join(0, 2, "j0", new Origin("birth", 4)));
    on(new MemberMessage.Join(1, 2, "j1", new Origin("birth", 4)));
    on(new CoordinatorEvent.EpochTaken(5));
    on(new MemberMessage.Offer(0, 5, List.of()));
    on(new MemberMessage.Offer(1, 5, List.of()));

    assertThat(on(new MemberMessage.Held(0, 5, 0, Level.DEVICE, List.of(), Measurement.NONE)))
        .doesNotHaveAnyElementsOfTypes(ClaimAgain.class);
  }
}
