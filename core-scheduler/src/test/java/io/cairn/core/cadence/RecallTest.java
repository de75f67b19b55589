package io.cairn.core.cadence;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Measurements that come back with a restored checkpoint. */
class RecallTest {
  /** As the clocks of machines that have been up for months. */
  private static final double UP_SECONDS = 1e7;

  private static final Map<Level, Long> PERIODS = Map.of(Level.DEVICE, 1L, Level.NODE, 7L);
  private static final Map<Level, Learned.Cost> COSTS =
      Map.of(Level.NODE, new Learned.Cost(0, 1, 0));

  private final AdaptiveCadence cadence =
      new AdaptiveCadence(
          AdaptiveSettings.defaults(Set.of(Level.DEVICE, Level.NODE)),
          CadencePlan.every(1, 10, 100));

  private static Learned learned(double seconds, int failures) {
    return new Learned(PERIODS, Map.of(), seconds, 1, Map.of(Level.NODE, failures), COSTS);
  }

  private Learned present() {
    return cadence.learned().orElseThrow();
  }

  @Test
  void aFailureBeforeTheFirstResumptionObservesNoTime() {
    cadence.begin(learned(500, 1));

    cadence.resumed(UP_SECONDS, 40, Optional.of(Level.NODE), 0);

    assertThat(present().seconds()).isEqualTo(500);
    assertThat(present().failures()).isEqualTo(Map.of(Level.NODE, 2));
  }

  @Test
  void theTimeSinceTheResumptionIsObserved() {
    cadence.begin(learned(500, 1));
    cadence.resumed(UP_SECONDS, 40, Optional.empty(), 0);

    cadence.progressed(UP_SECONDS + 30, 50);

    assertThat(present().seconds()).isEqualTo(530);
  }

  @Test
  void moreObservedTimeTakesThePlaceOfLess() {
    cadence.begin(learned(500, 1));

    cadence.recall(learned(900, 3));

    assertThat(present().seconds()).isEqualTo(900);
    assertThat(present().failures()).isEqualTo(Map.of(Level.NODE, 3));
  }

  @Test
  void anOlderCheckpointTakesNothingBack() {
    cadence.begin(learned(900, 3));

    cadence.recall(learned(500, 1));

    assertThat(present().failures()).isEqualTo(Map.of(Level.NODE, 3));
  }

  @Test
  void ofEqualTimesMoreFailuresCount() {
    cadence.begin(learned(900, 3));

    cadence.recall(learned(900, 4));

    assertThat(present().failures()).isEqualTo(Map.of(Level.NODE, 4));
  }

  @Test
  void whatWasRecalledIsNoPlan() {
    CadencePlan begun = cadence.plan();

    cadence.recall(learned(900, 3));

    assertThat(cadence.plan()).isEqualTo(begun);
    assertThat(present().costs()).isEqualTo(COSTS);
    assertThat(present().iterationSeconds()).isEqualTo(1);
  }
}
