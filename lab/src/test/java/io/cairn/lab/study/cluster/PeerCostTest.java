package io.cairn.lab.study.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The judge of the simulated clusters notices each wait that is too long. */
class PeerCostTest {
  private static final long MOST = PeerCost.MOST_PER_PEER_NANOS;
  private static final PeerCost BEFORE = new PeerCost(50, 40, 30, 2, 3);

  @Test
  void answersAndStopsMayTakeTheirTime() {
    PeerCost after = new PeerCost(50 + 700 + 9 + MOST, 40 + 700, 30 + 9, 2, 3);

    assertThatCode(() -> after.requireBounded(BEFORE, "a restore")).doesNotThrowAnyException();
  }

  @Test
  void eachPeerThatFellSilentMayCostTheSame() {
    PeerCost after = new PeerCost(50 + 3 * MOST, 40, 30, 4, 3);

    assertThatCode(() -> after.requireBounded(BEFORE, "a restore")).doesNotThrowAnyException();
  }

  @Test
  void eachQuestionToASilentPeerMayCostHalfASecond() {
    long most = 2 * PeerCost.MOST_PER_QUESTION_NANOS;
    PeerCost after = new PeerCost(50 + MOST + most, 40, 30, 2, 5);
    PeerCost longer = new PeerCost(51 + MOST + most, 40, 30, 2, 5);

    assertThatCode(() -> after.requireBounded(BEFORE, "a restore")).doesNotThrowAnyException();
    assertThatThrownBy(() -> longer.requireBounded(BEFORE, "a restore"))
        .isInstanceOf(ViolationException.class);
  }

  @Test
  void aLongerWaitIsNoticed() {
    PeerCost after = new PeerCost(51 + 3 * MOST, 40, 30, 4, 3);

    assertThatThrownBy(() -> after.requireBounded(BEFORE, "a restore"))
        .isInstanceOf(ViolationException.class)
        .hasMessageContaining("a restore waits 30000 ms for other nodes");
  }
}
