package io.cairn.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LevelSpecTest {
  @Test
  void everyLevelHasOneLineInItsOrder() {
    assertThat(LevelSpec.ALL).extracting(LevelSpec::level).containsExactly(Level.values());
    assertThat(LevelSpec.ALL).allMatch(spec -> LevelSpec.of(spec.level()).equals(spec));
  }

  /** A level that every process has is not made of one that only some have. */
  @Test
  void aLevelReadsFromOneBeforeIt() {
    List<Level> before = new ArrayList<>(List.of(Level.DEVICE));
    for (LevelSpec spec : LevelSpec.ALL) {
      assertThat(before).as(spec.toString()).contains(spec.readsFrom());
      assertThat(!spec.always() || LevelSpec.of(spec.readsFrom()).always()).isTrue();
      before.add(spec.level());
    }
  }

  @Test
  void propertiesOfALevelFollowFromItsKeeper() {
    assertThat(LevelSpec.committed()).isEqualTo(Level.STORE);
    assertThat(Level.where(level -> LevelSpec.of(level).isCommitted()))
        .containsExactly(Level.STORE);
    assertThat(Level.where(level -> LevelSpec.of(level).isFetched())).containsExactly(Level.PEER);
    assertThat(Level.where(level -> LevelSpec.of(level).isServed()))
        .containsExactly(Level.NODE, Level.PEER);
    assertThat(Level.where(level -> LevelSpec.of(level).isBelowDevice()))
        .doesNotContain(Level.DEVICE)
        .hasSize(3);
  }
}
