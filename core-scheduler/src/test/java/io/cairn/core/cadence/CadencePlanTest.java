package io.cairn.core.cadence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Level;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CadencePlanTest {
  @Test
  void fixedPeriodsCountFromTheFirstIteration() {
    Map<Level, Long> every = Map.of(Level.DEVICE, 2L, Level.NODE, 6L, Level.STORE, 12L);

    CadencePlan plan = CadencePlan.every(2, 6, 12);

    for (Level level : Level.values()) {
      for (long iteration = 0; iteration < 50; iteration++) {
        assertThat(plan.due(level, iteration))
            .isEqualTo(every.containsKey(level) && iteration % every.get(level) == 0);
      }
    }
    assertThat(plan.patternIterations()).isEqualTo(12);
  }

  @Test
  void theFirstIterationIsDueAtEveryLevel() {
    CadencePlan plan = new CadencePlan(3, 17, Map.of(Level.DEVICE, 1L, Level.STORE, 5L));
    assertThat(plan.due(Level.STORE, 17)).isTrue();
    assertThat(plan.due(Level.STORE, 18)).isFalse();
    assertThat(plan.due(Level.NODE, 17)).isFalse();
    CadencePlan again = plan.fromTheStart();
    assertThat(again.fromIteration()).isEqualTo(2);
    for (long iteration = 0; iteration < 50; iteration++) {
      assertThat(again.due(Level.STORE, iteration)).isEqualTo(plan.due(Level.STORE, iteration));
    }
  }

  @Test
  void rejectsInvalidPlans() {
    assertThatThrownBy(() -> new CadencePlan(0, 0, Map.of())).hasMessageContaining("no level");
    assertThatThrownBy(() -> new CadencePlan(0, -1, Map.of(Level.NODE, 1L)))
        .hasMessageContaining("from iteration -1");
    assertThatThrownBy(() -> new CadencePlan(0, 0, Map.of(Level.NODE, 0L)))
        .hasMessageContaining("multiple");
    assertThatThrownBy(() -> new CadencePlan(0, 0, Map.of(Level.NODE, 2L, Level.STORE, 5L)))
        .hasMessageContaining("multiple");
  }

  @Test
  void settingsAreRefusedByName() {
    Map<Level, Double> mtbf =
        Map.of(Level.DEVICE, 1.0, Level.NODE, 1.0, Level.PEER, 1.0, Level.STORE, 1.0);
    Set<Level> all = Set.of(Level.values());
    assertThatThrownBy(() -> new AdaptiveSettings(mtbf, 0, all, Set.of(), Map.of()))
        .hasMessageContaining("stallBudget is 0.0");
    assertThatThrownBy(() -> new AdaptiveSettings(mtbf, 0.1, all, Set.of(Level.STORE), Map.of()))
        .hasMessageContaining("highest cannot be left out");
    assertThatThrownBy(
            () -> new AdaptiveSettings(Map.of(Level.DEVICE, 1.0), 0.1, all, Set.of(), Map.of()))
        .hasMessageContaining("MTBF of NODE");
    assertThatThrownBy(() -> new AdaptiveSettings(mtbf, 0.1, Set.of(), Set.of(), Map.of()))
        .hasMessageContaining("at least one level");
  }
}
