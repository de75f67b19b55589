package io.cairn.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.CoordinatorAction.Send;
import io.cairn.core.protocol.CoordinatorAction.TakeLater;
import io.cairn.core.protocol.CoordinatorEvent.EpochStays;
import io.cairn.core.protocol.CoordinatorEvent.EpochTaken;
import io.cairn.core.protocol.CoordinatorEvent.LaterEpochTaken;
import io.cairn.core.protocol.CoordinatorMessage.Fenced;
import io.cairn.core.protocol.CoordinatorMessage.Joined;
import io.cairn.core.protocol.CoordinatorMessage.Verify;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranks of epoch 4 whose newest checkpoint is of epoch 9. */
class GroupCoordinatorLaterTest {
  private static final CheckpointId LATER = new CheckpointId(Paths.GROUP, 9, 5);
  private static final Origin ABOVE = new Origin("birth", 9);

  private final GroupCoordinator coordinator =
      new GroupCoordinator(
          Paths.GROUP,
          2,
          CadencePolicy.fixed(CadencePlan.every(1, 10, 50)),
          Duration.ofMinutes(30));

  private List<CoordinatorAction> on(CoordinatorEvent event) {
    return coordinator.on(event, 0);
  }

  private void join(int rank, String incarnation) {
    on(new MemberMessage.Join(rank, 2, incarnation, new Origin("birth", 0)));
  }

  private List<CoordinatorAction> offer(int rank, long epoch) {
    Candidate candidate = new Candidate(LATER, Digest.of(new byte[0]), Ancestry.NONE);
    return on(new MemberMessage.Offer(rank, epoch, List.of(candidate)));
  }

  @BeforeEach
  void begin() {
    join(0, "a");
    join(1, "b");
    on(new EpochTaken(4));
    offer(0, 4);
  }

  @Test
  void aProposalOfALaterEpochWaitsForALaterEpoch() {
    assertThat(offer(1, 4)).containsExactly(new TakeLater(4, Map.of(0, ABOVE, 1, ABOVE)));

    assertThat(on(new LaterEpochTaken(4, new EpochTaken(10))))
        .hasSize(2)
        .extracting(action -> ((Send) action).message())
        .allMatch(message -> message instanceof Joined joined && joined.epoch() == 10);
    assertThat(coordinator.epoch()).isEqualTo(10);
    assertThat(offer(0, 10)).isEmpty();
    assertThat(offer(1, 10))
        .containsExactly(
            new Send(0, "a", new Verify(10, LATER)), new Send(1, "b", new Verify(10, LATER)));
  }

  /** It fails before the first message of the later epoch has reached it. */
  @Test
  void aRankThatWithdrawsEndsTheLaterEpoch() {
    offer(1, 4);
    on(new LaterEpochTaken(4, new EpochTaken(10)));

    assertThat(on(new MemberMessage.Leave(1, 4))).isEmpty();
    assertThat(on(new MemberMessage.Withdraw(1, "b", true)))
        .extracting(action -> ((Send) action).message())
        .hasOnlyElementsOfType(Fenced.class);
  }

  @Test
  void theProposalIsSentIfTheEpochStays() {
    offer(1, 4);

    assertThat(on(new EpochStays(3))).isEmpty();
    assertThat(on(new EpochStays(4)))
        .containsExactly(
            new Send(0, "a", new Verify(4, LATER)), new Send(1, "b", new Verify(4, LATER)));
    assertThat(on(new EpochStays(4))).isEmpty();
    assertThat(on(new LaterEpochTaken(4, new EpochTaken(10)))).isEmpty();
  }

  /** A rank of this epoch is lost meanwhile; the next join takes an epoch of its own. */
  @Test
  void aLaterEpochForRanksThatAreGoneBeginsNothing() {
    offer(1, 4);
    assertThat(on(new MemberMessage.Leave(1, 4)))
        .extracting(action -> ((Send) action).message())
        .hasOnlyElementsOfType(Fenced.class);

    assertThat(on(new LaterEpochTaken(4, new EpochTaken(10)))).isEmpty();
    assertThat(coordinator.epoch()).isEqualTo(4);
  }
}
