package io.cairn.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.internal.Box;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BoxTest {
  @Test
  void intersectionAndDifferenceAgreeWithTheirElements() {
    for (long seed = 1; seed <= 2_000; seed++) {
      RandomBoxes random = new RandomBoxes(seed);
      Box array = random.array();
      Box one = random.in(array);
      Box other = random.in(array);
      Set<Long> common = new HashSet<>(RandomBoxes.elements(array, one));
      common.retainAll(RandomBoxes.elements(array, other));
      assertThat(
              one.intersect(other).map(box -> RandomBoxes.elements(array, box)).orElse(List.of()))
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(common);
      List<Long> rest = new ArrayList<>();
      one.minus(other).forEach(box -> rest.addAll(RandomBoxes.elements(array, box)));
      Set<Long> expected = new HashSet<>(RandomBoxes.elements(array, one));
      expected.removeAll(common);
      assertThat(rest).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void aBoxContainsWhatLiesInIt() {
    for (long seed = 1; seed <= 500; seed++) {
      RandomBoxes random = new RandomBoxes(seed);
      Box array = random.array();
      Box one = random.in(array);
      Box other = random.in(array);
      boolean inside = one.intersect(other).equals(Optional.of(other));
      assertThat(one.contains(other) && other.elements() > 0).as("seed %d", seed).isEqualTo(inside);
    }
    assertThat(Box.whole(4).contains(Box.whole(4, 1))).isFalse();
  }

  @Test
  void hostileNumbersAreRefused() {
    refused(new long[] {-1}, new long[] {1}, "negative or too great");
    refused(new long[] {0}, new long[] {-1}, "negative or too great");
    refused(new long[] {Long.MAX_VALUE}, new long[] {1}, "negative or too great");
    refused(new long[] {0, 0}, new long[] {1L << 32, 1L << 31}, "more elements");
    refused(new long[] {0, 0, 0}, new long[] {0, 1L << 32, 1L << 31}, "more elements");
    refused(new long[] {0}, new long[] {1, 1}, "dimensions");
    refused(new long[0], new long[0], "dimensions");
    refused(new long[9], new long[9], "dimensions");
  }

  private static void refused(long[] offset, long[] shape, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Box(offset, shape))
        .withMessageContaining(reason);
  }

  @Test
  void aBoxKeepsItsNumbers() {
    long[] shape = {2, 3};
    Box box = Box.whole(shape);
    shape[0] = 7;
    assertThat(box).isEqualTo(Box.whole(2, 3)).hasToString("0x0 of 2x3");
    assertThat(box.elements()).isEqualTo(6);
  }
}
