package io.cairn.lab.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The judge of the simulated clusters notices each wait that is too long. */
class PeerCostTest {
  private static final long MOST = PeerCost.MOST_PER_PEER_NANOS;
  private static final PeerCost BEFORE = new PeerCost(50, 40, 30, 2);

  @Test
  void answersAndStopsMayTakeTheirTime() {
    PeerCost after = new PeerCost(50 + 700 + 9 + MOST, 40 + 700, 30 + 9, 2);

    assertThatCode(() -> after.requireBounded(BEFORE, "a restore")).doesNotThrowAnyException();
  }

  @Test
  void eachPeerThatFellSilentMayCostTheSame() {
    PeerCost after = new PeerCost(50 + 3 * MOST, 40, 30, 4);

    assertThatCode(() -> after.requireBounded(BEFORE, "a restore")).doesNotThrowAnyException();
  }

  @Test
  void aLongerWaitIsNoticed() {
    PeerCost after = new PeerCost(51 + 3 * MOST, 40, 30, 4);

    assertThatThrownBy(() -> after.requireBounded(BEFORE, "a restore"))
        .isInstanceOf(ViolationException.class)
        .hasMessageContaining("a restore waits 30000 ms for other nodes");
  }
}
