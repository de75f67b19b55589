package io.cairn.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.Layout;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LayoutEntryTest {
  private static LayoutEntry slice(String element, long[] global, long[] offset, long[] shape) {
    return new LayoutEntry(Layout.slice(global, offset, shape), element);
  }

  @Test
  void aTextIsReadAsItWasWritten() {
    LayoutEntry columns =
        slice("float", new long[] {100, 40}, new long[] {0, 20}, new long[] {100, 20});
    assertThat(columns.text()).isEqualTo("slice float 100x40 at 0x20 of 100x20");
    LayoutEntry droppable = new LayoutEntry(Layout.perRankOrDropped(), "");
    assertThat(droppable.text()).isEqualTo("rank or dropped");
    for (LayoutEntry entry :
        List.of(columns, LayoutEntry.replicated(), LayoutEntry.perRank(), droppable)) {
      assertThat(LayoutEntry.parse(entry.text())).isEqualTo(Optional.of(entry));
    }
  }

  @Test
  void hostileTextsAreNoLayouts() {
    for (String text :
        List.of(
            "",
            "slice",
            "Replicated",
            "slice float 4 at 0 of 5",
            "slice float 4 at 4 of 1",
            "slice float 4 at 0 of -1",
            "slice float 4x at 0 of 1",
            "slice float x4 at 0 of 1",
            "slice float 4 at 00 of 1",
            "slice float 4x4 at 0 of 1",
            "slice float 4 at 0 of 1 ",
            "slice fl/oat 4 at 0 of 1",
            "slice float 9999999999999999999 at 0 of 1",
            "slice float 4294967296x4294967296 at 0x0 of 1x1",
            "slice float 9223372036854775807 at 9223372036854775807 of 1",
            "slice float 1x1x1x1x1x1x1x1x1 at 0x0x0x0x0x0x0x0x0 of 1x1x1x1x1x1x1x1x1",
            "slice " + "f".repeat(128) + " 1 at 0 of 1")) {
      assertThat(LayoutEntry.parse(text)).as(text).isEmpty();
    }
  }

  @Test
  void aTextThatDoesNotFitAManifestIsRefused() {
    long[] offset = new long[8];
    long[] longer = {999_999_999_999_999_999L, 1, 1, 1, 1, 1, 1, 1};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> slice("f".repeat(72), longer, offset, longer))
        .withMessageContaining("longer than the 128 characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> slice("two words", longer, offset, longer))
        .withMessageContaining("elements of one word");
  }
}
