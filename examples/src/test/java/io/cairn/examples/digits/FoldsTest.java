package io.cairn.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The split into folds. */
class FoldsTest {
  @RepeatedTest(20)
  void everySampleTestsOnceAndTrainsOtherwise(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    int count = random.nextInt(2, 6);
    int samples = random.nextInt(count, 50);
    Folds folds = new Folds(samples, count, seed);
    List<Integer> tested = new ArrayList<>();
    for (int fold = 0; fold < count; fold++) {
      int[] test = folds.test(fold);
      Arrays.stream(test).forEach(tested::add);
      assertThat(test.length).as("seed %d", seed).isBetween(samples / count, samples / count + 1);
      assertThat(IntStream.concat(Arrays.stream(test), Arrays.stream(folds.training(fold))))
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, samples).boxed().toList());
    }
    assertThat(tested)
        .as("seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, samples).boxed().toList());
  }

  @Test
  void theSeedDecides() {
    assertThat(new Folds(100, 4, 1).test(2)).isEqualTo(new Folds(100, 4, 1).test(2));
    assertThat(new Folds(100, 4, 1).test(2)).isNotEqualTo(new Folds(100, 4, 2).test(2));
  }

  @Test
  void impossibleSplitsAreRefused() {
    assertThatThrownBy(() -> new Folds(3, 4, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Folds(100, 4, 1).test(4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fold 4 of 4");
  }
}
