package io.cairn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StridesTest {
  @Test
  void anArrayInRowMajorOrderIsNamedByItsShape() {
    assertThat(Strides.kind("float", new long[] {3, 4}, new long[] {4, 1}))
        .isEqualTo("float[3, 4]");
    assertThat(Strides.kind("int", new long[] {}, new long[] {})).isEqualTo("int[]");
    assertThat(Strides.kind("float", new long[] {1, 4}, new long[] {99, 1}))
        .isEqualTo("float[1, 4]");
  }

  @Test
  void anyOtherOrderIsNamedByItsStrides() {
    String channelsLast = Strides.kind("float", new long[] {2, 3, 4, 5}, new long[] {60, 1, 15, 3});
    assertThat(channelsLast).isEqualTo("float[2, 3, 4, 5] strides [60, 1, 15, 3]");
    assertThat(Strides.areIn(channelsLast)).isTrue();
    assertThat(Strides.areIn("float[3, 4]")).isFalse();
  }

  @Test
  void aLongKindIsShortenedAndStillDiffers() {
    long[] shape = new long[60];
    Arrays.fill(shape, 2);
    long[] rowMajor = new long[60];
    for (int i = 0; i < 60; i++) {
      rowMajor[i] = 1L << (59 - i);
    }
    long[] other = rowMajor.clone();
    other[58] = 1;
    other[59] = 2;
    String one = Strides.kind("float", shape, rowMajor);
    String two = Strides.kind("float", shape, other);
    assertThat(one).startsWith("float[").hasSizeLessThanOrEqualTo(128).isNotEqualTo(two);
    assertThat(two).hasSizeLessThanOrEqualTo(128);
    assertThat(Strides.areIn(one)).isFalse();
    assertThat(Strides.areIn(two)).isTrue();
  }

  @Test
  void eachDimensionHasAStride() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Strides.kind("float", new long[] {3, 4}, new long[] {1}))
        .withMessageContaining("[3, 4]");
  }
}
