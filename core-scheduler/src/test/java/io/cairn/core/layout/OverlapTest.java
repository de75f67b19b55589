package io.cairn.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.internal.Box;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OverlapTest {
  /** Byte for byte, and chunk by chunk: chunks cut through elements and rows. */
  @Test
  void runsAgreeWithTheElementsOneByOne() throws IOException {
    for (long seed = 1; seed <= 2_000; seed++) {
      RandomBoxes random = new RandomBoxes(seed);
      Box array = random.array();
      Box from = random.in(array);
      Box into = random.in(array);
      if (from.intersect(into).isEmpty()) {
        continue;
      }
      int width = 1 + random.below(8);
      Overlap overlap = new Overlap(from, into, from.intersect(into).orElseThrow(), width);
      Map<Long, Long> expected = byteByByte(array, from, into, width);
      Map<Long, Long> found = new TreeMap<>();
      long all = from.elements() * width;
      long chunk = 1L + random.below(24);
      for (long first = 0; first < all; first += chunk) {
        long begin = first;
        long end = Math.min(all, first + chunk);
        int before = found.size();
        overlap.forEach(
            begin,
            end,
            (source, target, bytes) -> {
              assertThat(source).isBetween(begin, end - bytes);
              for (long b = 0; b < bytes; b++) {
                assertThat(found.put(source + b, target + b)).isNull();
              }
            });
        assertThat(overlap.touches(begin, end)).isEqualTo(found.size() > before);
      }
      assertThat(found).as("seed %d", seed).isEqualTo(expected);
      assertThat(overlap.bytes()).isEqualTo(expected.size());
    }
  }

  private static Map<Long, Long> byteByByte(Box array, Box from, Box into, int width) {
    List<Long> sources = RandomBoxes.elements(array, from);
    List<Long> targets = RandomBoxes.elements(array, into);
    Map<Long, Long> bytes = new TreeMap<>();
    for (int source = 0; source < sources.size(); source++) {
      long target = targets.indexOf(sources.get(source));
      for (int b = 0; target >= 0 && b < width; b++) {
        bytes.put((long) source * width + b, target * width + b);
      }
    }
    return bytes;
  }

  @Test
  void rowsThatAreWholeInBothAreOneRun() throws IOException {
    Box from = new Box(new long[] {2, 0, 0}, new long[] {4, 10, 3});
    Box into = new Box(new long[] {0, 0, 0}, new long[] {5, 10, 3});
    Overlap overlap = new Overlap(from, into, from.intersect(into).orElseThrow(), 4);
    Map<Long, Long> runs = new TreeMap<>();
    overlap.forEach(
        0,
        Long.MAX_VALUE,
        (source, target, bytes) -> {
          runs.put(source, target);
          assertThat(bytes).isEqualTo(3 * 30 * 4);
        });
    assertThat(runs).containsExactly(Map.entry(0L, 2 * 30 * 4L));
  }

  @Test
  void aPartOutsideIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Overlap(Box.whole(4), Box.whole(3), Box.whole(4), 1))
        .withMessageContaining("no common part");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Overlap(
                    Box.whole(Long.MAX_VALUE / 4), Box.whole(Long.MAX_VALUE / 4), Box.whole(1), 8))
        .withMessageContaining("longer than can be counted");
  }
}
