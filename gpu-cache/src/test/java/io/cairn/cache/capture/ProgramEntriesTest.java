package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.Compression;
import io.cairn.Layout;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.model.Fingerprint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program has no more entries than a manifest has room for; the user learns of it at once. */
class ProgramEntriesTest {
  private static final String ROOM = "a manifest describes a rank by at most 128 entries";

  private final ProtectedRegions regions = new ProtectedRegions(new DelayedDevice(64, 1), 16);

  private void describe(int first, int end) {
    for (int k = first; k < end; k++) {
      regions.describe("fact-" + k, "known");
    }
  }

  private void protect(int count, RegionOptions options) {
    for (int k = 0; k < count; k++) {
      regions.protect(Region.of("r" + k, new int[1]), options);
    }
  }

  @Test
  void oneDescriptionTooManyIsRefused() {
    protect(2, RegionOptions.DEFAULT);
    describe(0, 127);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.describe("one-more", "known"))
        .withMessageContaining("entry one-more: " + ROOM + ", and this one makes 129")
        .withMessageContaining("Describe several facts by one digest");
    assertThat(regions.program().entries()).hasSize(Fingerprint.MAX_ENTRIES);
  }

  @Test
  void oneRegionTooManyIsRefused() {
    describe(0, 128);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("weights", new int[1])))
        .withMessageContaining("region weights: " + ROOM);
    assertThat(regions.names()).isEmpty();
    assertThat(regions.program().entries()).hasSize(Fingerprint.MAX_ENTRIES);
  }

  @Test
  void optionsAndLayoutsCount() {
    describe(0, 97);
    protect(10, RegionOptions.DEFAULT.withLayout(Layout.replicated()));
    RegionOptions both =
        RegionOptions.DEFAULT.withLayout(Layout.replicated()).withCompression(Compression.LZ4);
    regions.protect(Region.of("packed", new int[1]), both);

    assertThat(regions.program().entries()).hasSize(120);
    describe(97, 114);
    assertThat(regions.program().entries()).hasSize(127);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("last", new int[1]), both))
        .withMessageContaining("region last: " + ROOM + ", and this one makes 129");
  }

  /** More than sixteen regions are one entry. */
  @Test
  void manyRegionsLeaveRoom() {
    protect(17, RegionOptions.DEFAULT);
    describe(0, 127);

    assertThat(regions.program().entries()).hasSize(Fingerprint.MAX_ENTRIES);
  }

  /** Regions are one entry if a manifest has no room for one each, whatever came first. */
  @ParameterizedTest
  @ValueSource(ints = {13, 14, 16, 17, 20})
  void theOrderDoesNotMatter(int count) {
    ProtectedRegions first = new ProtectedRegions(new DelayedDevice(64, 1), 16);
    for (int k = 0; k < count; k++) {
      first.protect(Region.of("r" + k, new int[1]), RegionOptions.DEFAULT);
    }
    for (int k = 0; k < 115; k++) {
      first.describe("fact-" + k, "known");
    }

    describe(0, 115);
    protect(count, RegionOptions.DEFAULT);

    assertThat(regions.program()).isEqualTo(first.program());
    assertThat(regions.program().entries()).hasSize(count == 13 ? 128 : 116);
  }
}
