package io.cairn.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Minibatches of the first samples. */
class MinibatchesTest {
  private static final DigitsData DATA = DigitsData.load();

  private static Minibatches minibatches(long seed) {
    return new Minibatches(DATA, IntStream.range(0, 50).toArray(), 16, seed);
  }

  private static List<Integer> pass(Minibatches minibatches) {
    List<Integer> labels = new ArrayList<>();
    while (minibatches.hasNext()) {
      int[] batch = minibatches.next().getLabels().argMax(1).toIntVector();
      Arrays.stream(batch).forEach(labels::add);
    }
    return labels;
  }

  @Test
  void aPassHasEverySampleOnce() {
    Minibatches minibatches = minibatches(1);
    assertThat(minibatches.count()).isEqualTo(4);
    assertThat(pass(minibatches))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 50).mapToObj(DATA::label).toList());
    assertThatThrownBy(minibatches::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void resetsShuffleWhetherThePassWasReadOrNot() {
    Minibatches read = minibatches(1);
    List<Integer> first = pass(read);
    read.reset();
    List<Integer> second = pass(read);
    Minibatches unread = minibatches(1);
    unread.reset();
    assertThat(pass(unread)).isEqualTo(second).isNotEqualTo(first);
  }

  @Test
  void theSeedDecides() {
    assertThat(pass(minibatches(1))).isEqualTo(pass(minibatches(1)));
    assertThat(pass(minibatches(1))).isNotEqualTo(pass(minibatches(2)));
  }
}
