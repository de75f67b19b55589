package io.cairn.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizeSortTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 256, 257, 5000})
  void sortsAsTheLibraryDoes(int count) {
    SizeSort sizeSort = new SizeSort();
    for (int bits = 1; bits < Long.SIZE; bits += 6) {
      Random random = new Random(count * 100L + bits);
      long[] sizes = new long[count + 3];
      for (int k = 0; k < sizes.length; k++) {
        sizes[k] = random.nextLong() >>> (Long.SIZE - bits);
      }
      long[] expected = Arrays.copyOf(sizes, count);
      Arrays.sort(expected);
      assertThat(Arrays.copyOf(sizeSort.sort(sizes, count), count))
          .as("%d bits", bits)
          .isEqualTo(expected);
    }
  }
}
