package io.cairn.core.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class NonBlockingPatternTest {
  /**
   * Mean times of some 10^5 patterns each, from an event-by-event simulation in another language.
   * There a flush continues while work is repeated, which the walk leaves out: a second-order gain.
   */
  @Test
  void isNearSimulatedTimes() {
    List<NonBlockingLevel> three =
        List.of(
            new NonBlockingLevel("device", 1e-4, 1, 0, 0, 5),
            new NonBlockingLevel("node", 3e-5, 1, 30, 0.02, 10),
            new NonBlockingLevel("store", 1e-5, 2, 400, 0.05, 60));
    List<NonBlockingLevel> two =
        List.of(
            new NonBlockingLevel("device", 1e-4, 1, 0, 0, 5),
            new NonBlockingLevel("store", 5e-5, 1, 45, 0.1, 60));
    near(three, new int[] {3, 4}, 1200, 1266.6388, 0.1715);
    near(fourLevels(1), new int[] {2, 3, 2}, 1080, 1145.7055, 0.2684);
    near(two, new int[] {1}, 120, 127.9470, 0.0065);
  }

  private static void near(
      List<NonBlockingLevel> levels,
      int[] counts,
      double length,
      double simulated,
      double standardError) {
    double secondOrder = 0.005 * (simulated - length);
    assertThat(new NonBlockingPattern(levels).expectedSeconds(counts, length))
        .isCloseTo(simulated, within(3 * standardError + secondOrder));
  }

  /** An evaluator keeps nothing of what it evaluated before. */
  @Test
  void evaluatesAgain() {
    NonBlockingPattern pattern = new NonBlockingPattern(fourLevels(1));
    double first = pattern.expectedSeconds(new int[] {2, 3, 2}, 1080);
    assertThat(pattern.expectedSeconds(new int[] {2, 3, 9}, 9000)).isNotEqualTo(first);
    assertThat(pattern.expectedSeconds(new int[] {2, 3, 2}, 1080)).isEqualTo(first);
  }

  /** Slower flushes, dearer stops, more interference and more failures all waste more. */
  @RepeatedTest(30)
  void moreOfAnythingWastesMore(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    List<NonBlockingLevel> levels = fourLevels(1);
    int[] counts = random.ints(3, 1, 4).toArray();
    double length = 4000 * Math.exp(random.nextDouble() * Math.log(20_000 / 4000.0));
    double before = new NonBlockingPattern(levels).expectedSeconds(counts, length);
    int which = random.nextInt(4);
    NonBlockingLevel one = levels.get(which);
    for (int change = 0; change < 5; change++) {
      List<NonBlockingLevel> worse = new ArrayList<>(levels);
      worse.set(
          which,
          new NonBlockingLevel(
              one.name(),
              one.failuresPerSecond() * (change == 0 ? 1.5 : 1),
              one.blockingSeconds() * (change == 1 ? 1.5 : 1),
              one.flushSeconds() * (change == 2 ? 1.3 : 1),
              one.overheadFactor() + (change == 3 ? 0.05 : 0),
              one.recoverySeconds() * (change == 4 ? 1.5 : 1)));
      assertThat(new NonBlockingPattern(worse).expectedSeconds(counts, length))
          .as("seed %d, change %d of level %d", seed, change, which)
          .isGreaterThan(before);
    }
  }

  @Test
  void flushesMustKeepUp() {
    List<NonBlockingLevel> levels =
        List.of(
            new NonBlockingLevel("cache", 1e-4, 1, 0, 0, 1),
            new NonBlockingLevel("store", 1e-5, 0, 1000, 0, 10));
    NonBlockingPattern pattern = new NonBlockingPattern(levels);
    assertThat(pattern.expectedSeconds(new int[] {9}, 900)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(1 - 1000 / pattern.expectedSeconds(new int[] {10}, 1000)).isLessThan(0.2);
  }

  @Test
  void refusesByName() {
    assertThatThrownBy(() -> new NonBlockingLevel("store", 1, 1, Double.NaN, 0, 0))
        .hasMessageContaining("flushSeconds of level 'store'");
    assertThatThrownBy(() -> new NonBlockingLevel("store", 1, 1, 1, -1, 0))
        .hasMessageContaining("overheadFactor of level 'store'");
    assertThatThrownBy(() -> new NonBlockingPattern(List.of())).hasMessageContaining("not 0");
  }

  private static List<NonBlockingLevel> fourLevels(double failures) {
    return List.of(
        new NonBlockingLevel("device", 4e-5 * failures, 0.2, 0.5, 0, 1),
        new NonBlockingLevel("node", 2e-5 * failures, 0.3, 20, 0.05, 5),
        new NonBlockingLevel("peer", 1e-5 * failures, 0.5, 50, 0.02, 10),
        new NonBlockingLevel("store", 1e-5 * failures, 1, 900, 0.03, 120));
  }
}
