package io.cairn.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.internal.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CoverTest {
  /** With overlaps and gaps, and with no saved box at all. */
  @Test
  void eachElementComesFromTheFirstBoxThatHasIt() {
    int gaps = 0;
    for (long seed = 1; seed <= 2_000; seed++) {
      RandomBoxes random = new RandomBoxes(seed);
      Box array = random.array();
      Box wanted = random.in(array);
      List<Box> saved = random.in(array, random.below(8));
      Map<Long, Integer> expected = new TreeMap<>();
      for (int number = saved.size() - 1; number >= 0; number--) {
        for (long element : RandomBoxes.elements(array, saved.get(number))) {
          expected.put(element, number);
        }
      }
      List<Long> elements = RandomBoxes.elements(array, wanted);
      expected.keySet().retainAll(elements);
      Cover cover = Cover.of(wanted, saved);
      Map<Long, Integer> found = new TreeMap<>();
      for (Cover.Part part : cover.parts()) {
        for (long element : RandomBoxes.elements(array, part.elements())) {
          assertThat(found.put(element, part.saved())).as("seed %d", seed).isNull();
        }
      }
      assertThat(found).as("seed %d", seed).isEqualTo(expected);
      assertThat(cover.gap().isPresent())
          .as("seed %d", seed)
          .isEqualTo(expected.size() < elements.size());
      cover
          .gap()
          .ifPresent(
              gap ->
                  assertThat(RandomBoxes.elements(array, gap))
                      .isNotEmpty()
                      .allMatch(elements::contains)
                      .noneMatch(expected::containsKey));
      gaps += cover.gap().isPresent() ? 1 : 0;
    }
    assertThat(gaps).isBetween(200, 1_800);
  }

  @Test
  void anEmptyBoxNeedsNobody() {
    assertThat(Cover.of(Box.whole(0, 3), List.of()))
        .isEqualTo(new Cover(List.of(), Optional.empty()));
  }

  /** Lines along one side and lines along the other, with a gap after each, leave single points. */
  @Test
  void boxesThatCutIntoTooManyPiecesAreRefused() {
    List<Box> lines = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      lines.add(new Box(new long[] {2L * i, 0}, new long[] {1, 600}));
    }
    for (int i = 0; i < 300; i++) {
      lines.add(new Box(new long[] {0, 2L * i}, new long[] {600, 1}));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Cover.of(Box.whole(600, 600), lines))
        .withMessageContaining("65536 pieces");
  }
}
