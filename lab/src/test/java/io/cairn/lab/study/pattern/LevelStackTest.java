package io.cairn.lab.study.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LevelStackTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesRatesAndCostsByName(double bad) {
    assertThatThrownBy(() -> new CheckpointLevel("disk", bad, 1, 1))
        .hasMessageContaining("failuresPerSecond of level 'disk'")
        .hasMessageContaining(String.valueOf(bad));
    assertThatThrownBy(() -> CheckpointLevel.ofMtbf("disk", bad, 1, 1))
        .hasMessageContaining("mtbfSeconds of level 'disk'");
    assertThatThrownBy(() -> new CheckpointLevel("disk", 1, bad, 1))
        .hasMessageContaining("checkpointSeconds of level 'disk'");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesRecoveriesByName(double bad) {
    assertThatThrownBy(() -> new CheckpointLevel("disk", 1, 1, bad))
        .hasMessageContaining("recoverySeconds of level 'disk'");
  }

  @Test
  void aRecoveryMayCostNothing() {
    assertThat(new CheckpointLevel("disk", 1, 1, 0).recoverySeconds()).isZero();
  }

  @Test
  void refusesNoLevelsTooManyAndEqualNames() {
    CheckpointLevel level = new CheckpointLevel("disk", 1, 1, 1);
    assertThatThrownBy(() -> new LevelStack(List.of())).hasMessageContaining("not 0");
    assertThatThrownBy(() -> new LevelStack(Collections.nCopies(17, level)))
        .hasMessageContaining("not 17");
    assertThatThrownBy(() -> new LevelStack(List.of(level, level)))
        .hasMessageContaining("two levels are named 'disk'");
    assertThatThrownBy(() -> new CheckpointLevel(" ", 1, 1, 1)).hasMessageContaining("name");
  }

  @Test
  void warnsOfCostsThatDecrease() {
    LevelStack swapped =
        new LevelStack(
            List.of(
                CheckpointLevel.ofMtbf("local", 432, 100, 100),
                CheckpointLevel.ofMtbf("pfs", 2160, 20, 20)));
    assertThat(swapped.warnings())
        .singleElement()
        .asString()
        .contains("level 2 'pfs' costs less than level 1 'local'")
        .contains("looks swapped");
    assertThat(Platforms.random(new java.util.Random(3), 1).warnings()).isEmpty();
  }

  @Test
  void patternsSayWhichLevelFollowsASegment() {
    CheckpointPattern pattern = new CheckpointPattern(List.of(1, 3, 4), List.of(3, 2), 600);
    assertThat(IntStream.rangeClosed(1, 6).map(pattern::levelAfter))
        .containsExactly(1, 1, 3, 1, 1, 4);
    assertThat(pattern.totals()).containsExactly(6, 2, 1);
    assertThat(pattern.segmentSeconds()).isEqualTo(100);
  }
}
