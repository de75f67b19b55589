package io.cairn.lab.study.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.pattern.NonBlockingLevel;
import io.cairn.core.pattern.NonBlockingPattern;
import java.util.List;
import org.junit.jupiter.api.Test;

class NonBlockingOptimumTest {
  /** The optimum is not above any pattern of a grid, its subset's or another's. */
  @Test
  void theOptimumIsTheBestOfAGrid() {
    List<NonBlockingLevel> levels = fourLevels(20).subList(1, 4);
    NonBlockingOptimum best = NonBlockingOptimum.best(levels, 0.5);
    for (List<Integer> subset : List.of(List.of(1, 2, 3), List.of(1, 3), List.of(2, 3))) {
      NonBlockingPattern model = new NonBlockingPattern(NonBlockingOptimum.select(levels, subset));
      for (int code = 0; code < 225; code++) {
        int[] counts =
            subset.size() == 3 ? new int[] {1 + code % 15, 1 + code / 15} : new int[] {1 + code};
        for (double length = 1; length < 1e5; length *= 1.07) {
          assertThat(1 - length / model.expectedSeconds(counts, length))
              .as("%s %s %s against %s", subset, counts, length, best)
              .isGreaterThanOrEqualTo(best.waste() * (1 - 1e-6));
        }
      }
    }
  }

  @Test
  void noSegmentIsShorterThanAsked() {
    NonBlockingOptimum free = NonBlockingOptimum.best(fourLevels(1), 0.1);
    NonBlockingOptimum bound =
        NonBlockingOptimum.best(fourLevels(1), 3 * free.pattern().segmentSeconds());
    assertThat(bound.pattern().segmentSeconds())
        .isGreaterThanOrEqualTo(3 * free.pattern().segmentSeconds() * (1 - 1e-9));
    assertThat(bound.waste()).isGreaterThan(free.waste());
  }

  @Test
  void refusesByName() {
    assertThatThrownBy(() -> NonBlockingOptimum.best(fourLevels(1), List.of(1, 2), 1))
        .hasMessageContaining("leaves out the highest level");
    List<NonBlockingLevel> hopeless = List.of(new NonBlockingLevel("store", 1, 1, 1, 0, 1e4));
    assertThatThrownBy(() -> NonBlockingOptimum.best(hopeless, 1))
        .hasMessageContaining("no pattern");
  }

  private static List<NonBlockingLevel> fourLevels(double failures) {
    return List.of(
        new NonBlockingLevel("device", 4e-5 * failures, 0.2, 0.5, 0, 1),
        new NonBlockingLevel("node", 2e-5 * failures, 0.3, 20, 0.05, 5),
        new NonBlockingLevel("peer", 1e-5 * failures, 0.5, 50, 0.02, 10),
        new NonBlockingLevel("store", 1e-5 * failures, 1, 900, 0.03, 120));
  }
}
