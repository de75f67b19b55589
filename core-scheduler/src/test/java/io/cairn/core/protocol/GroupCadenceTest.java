package io.cairn.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.core.cadence.AdaptiveSettings;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.Measurement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GroupCadenceTest {
  private static final Set<Level> LEVELS = Set.of(Level.DEVICE, Level.NODE, Level.STORE);

  private final GroupCadence cadence =
      new GroupCadence(
          CadencePolicy.adaptive(AdaptiveSettings.defaults(LEVELS), CadencePlan.every(1, 10, 50)));

  /** Another rank gave each of them up before, so no outcome follows. */
  @Test
  void reportsWithoutAnOutcomeAreForgotten() {
    for (long iteration = 0; iteration < 10_000; iteration++) {
      cadence.held(
          iteration,
          new MemberMessage.Held(0, 1, iteration, Level.STORE, List.of(), Measurement.NONE));
    }

    assertThat(cadence.uncommitted()).isEqualTo(GroupCadence.MOST_UNCOMMITTED);
  }
}
