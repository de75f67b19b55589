package io.cairn.core.cadence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Level;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FixedPeriodsTest {
  @Test
  void theFirstIterationIsDueEverywhere() {
    CadencePlan cadence = CadencePlan.every(1, 10, 50);

    assertThat(due(cadence, Level.DEVICE)).hasSize(101);
    assertThat(due(cadence, Level.NODE)).startsWith(0L, 10L, 20L).hasSize(11);
    assertThat(due(cadence, Level.STORE)).containsExactly(0L, 50L, 100L);
    assertThat(due(cadence, Level.PEER)).isEmpty();
  }

  /** Each level reads from the one below. */
  @RepeatedTest(50)
  void anIterationDueAtALevelIsDueBelow(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    long device = 1 + random.nextLong(5);
    long node = device * (1 + random.nextLong(5));
    CadencePlan cadence = CadencePlan.every(device, node, node * (1 + random.nextLong(5)));

    for (long i = 0; i < 200; i++) {
      assertThat(!cadence.due(Level.STORE, i) || cadence.due(Level.NODE, i))
          .as("seed %d, %s, iteration %d at STORE but not at NODE", seed, cadence, i)
          .isTrue();
      assertThat(!cadence.due(Level.NODE, i) || cadence.due(Level.DEVICE, i))
          .as("seed %d, %s, iteration %d at NODE but not at DEVICE", seed, cadence, i)
          .isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"0,1,1", "1,0,1", "1,1,0", "1,-10,50"})
  void refusesPeriodsBelowOne(long device, long node, long store) {
    assertThatThrownBy(() -> CadencePlan.every(device, node, store))
        .hasMessageContaining("NODE=" + node);
  }

  @ParameterizedTest
  @CsvSource({"2,3,6", "1,10,15", "10,1,50"})
  void refusesALevelThatCannotReadFromTheOneBelow(long device, long node, long store) {
    assertThatThrownBy(() -> CadencePlan.every(device, node, store))
        .hasMessageContaining("each level reads from the one below")
        .hasMessageContaining("NODE=" + node);
  }

  @Test
  void everyLevelOfAllProcessesHasAPeriod() {
    assertThatThrownBy(() -> CadencePlan.every(1, 10)).hasMessageContaining("2 periods");
  }

  private static LongStream due(CadencePlan cadence, Level level) {
    return LongStream.rangeClosed(0, 100).filter(i -> cadence.due(level, i));
  }
}
