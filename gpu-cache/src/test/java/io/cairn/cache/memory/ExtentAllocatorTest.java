package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ExtentAllocatorTest {
  private static final int CAPACITY = 10_000;
  private static final int WINDOW = 4096;

  @RepeatedTest(100)
  void spansNeverOverlapNorCrossAWindowAndMergeWhenFreed(RepetitionInfo repetition)
      throws IOException {
    Random random = new Random(repetition.getCurrentRepetition());
    ExtentAllocator allocator = new ExtentAllocator("test", CAPACITY, WINDOW);
    TreeMap<Long, Long> used = new TreeMap<>();
    for (int step = 0; step < 300; step++) {
      if (random.nextInt(3) > 0) {
        long bytes = random.nextInt(1, random.nextBoolean() ? 64 : 3000);
        try {
          used.put(allocator.allocate(bytes), bytes);
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("no room for " + bytes);
        }
      } else if (!used.isEmpty()) {
        Map.Entry<Long, Long> one = pick(used, random);
        used.remove(one.getKey());
        allocator.free(one.getKey(), one.getValue());
        assertThat(allocator.isAllocated(one.getKey(), 1)).isFalse();
      }
      check(allocator, used);
    }
    used.forEach(allocator::free);
    assertThat(allocator.freeBytes()).isEqualTo(CAPACITY);
    assertThat(allocator.allocate(WINDOW)).isZero();
    assertThat(allocator.allocate(WINDOW)).isEqualTo(WINDOW);
  }

  private static void check(ExtentAllocator allocator, NavigableMap<Long, Long> used) {
    long end = 0;
    for (Map.Entry<Long, Long> span : used.entrySet()) {
      long start = span.getKey();
      assertThat(start).isGreaterThanOrEqualTo(end);
      end = start + span.getValue();
      assertThat(start % 8).isZero();
      assertThat(start / WINDOW).isEqualTo((end - 1) / WINDOW);
      assertThat(allocator.isAllocated(start, span.getValue())).isTrue();
    }
    assertThat(end).isLessThanOrEqualTo(CAPACITY);
  }

  private static Map.Entry<Long, Long> pick(NavigableMap<Long, Long> used, Random random) {
    Map.Entry<Long, Long> at = used.floorEntry((long) random.nextInt(CAPACITY));
    return at == null ? used.firstEntry() : at;
  }

  @Test
  void refusesWhatIsNoAllocation() throws Exception {
    ExtentAllocator allocator = new ExtentAllocator("test", CAPACITY, WINDOW);
    long offset = allocator.allocate(100);
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(offset, 50));
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(offset + 8, 92));
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.allocate(0));
    assertThatIOException().isThrownBy(() -> allocator.allocate(WINDOW + 1));
  }
}
