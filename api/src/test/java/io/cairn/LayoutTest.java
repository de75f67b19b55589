package io.cairn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class LayoutTest {
  private static Layout half(long first) {
    return Layout.slice(new long[] {4, 4}, new long[] {first, 0}, new long[] {2, 4});
  }

  @Test
  void aSliceKeepsItsNumbers() {
    long[] shape = {2, 4};
    Layout slice = Layout.slice(new long[] {4, 4}, new long[] {2, 0}, shape);
    shape[0] = 7;
    slice.offset()[0] = 7;

    assertThat(slice).isEqualTo(half(2)).hasSameHashCodeAs(half(2)).isNotEqualTo(half(0));
    assertThat(slice).hasToString("a slice at 2x0 of 2x4 of 4x4");
    assertThat(slice.isSlice()).isTrue();
    assertThat(slice.globalShape()).containsExactly(4, 4);
    assertThat(slice.shape()).containsExactly(2, 4);
  }

  @Test
  void aSliceLiesInItsArray() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> half(3))
        .withMessageContaining("3x0 of 2x4")
        .withMessageContaining("4x4");
  }

  @Test
  void otherLayoutsHaveNoShape() {
    assertThat(Layout.perRank().isPerRank()).isTrue();
    assertThat(Layout.perRank()).isNotEqualTo(Layout.perRankOrDropped());
    assertThat(Layout.perRankOrDropped().isPerRank()).isFalse();
    assertThat(Layout.perRankOrDropped().mayBeDropped()).isTrue();
    assertThat(Layout.replicated().isReplicated()).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(() -> Layout.replicated().shape())
        .withMessageContaining("replicated is no slice");
  }
}
