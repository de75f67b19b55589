package io.cairn.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.Layout;
import io.cairn.core.layout.ReshapePlan.Part;
import io.cairn.core.layout.ReshapePlan.Whole;
import io.cairn.core.model.Fingerprint;
import io.cairn.internal.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReshapePlanTest {
  /** A part of an array of eight elements. */
  private static LayoutEntry slice(long offset, long length) {
    return slice("float", 8, offset, length);
  }

  private static LayoutEntry slice(String element, long all, long offset, long length) {
    return new LayoutEntry(
        Layout.slice(new long[] {all}, new long[] {offset}, new long[] {length}), element);
  }

  private static Map<String, LayoutEntry> regions(LayoutEntry w) {
    return new TreeMap<>(Map.of("rate", LayoutEntry.replicated(), "w", w));
  }

  private static List<Layouts> saved(LayoutEntry... parts) {
    List<Layouts> saved = new ArrayList<>();
    for (LayoutEntry part : parts) {
      saved.add(Layouts.of(regions(part)));
    }
    return saved;
  }

  private static Box box(long offset, long length) {
    return new Box(new long[] {offset}, new long[] {length});
  }

  @Test
  void aRankReadsItsElementsFromTheRanksThatHaveThem() throws LayoutException {
    ReshapePlan plan =
        ReshapePlan.of(4, regions(slice(2, 4)), saved(slice(0, 3), slice(3, 3), slice(6, 2)));
    assertThat(plan.shares())
        .isEqualTo(
            Map.of(
                0, List.of(new Part("w", box(0, 3), box(2, 4), box(2, 1))),
                1, List.of(new Whole("rate"), new Part("w", box(3, 3), box(2, 4), box(3, 3)))));
  }

  @Test
  void replicasMoveToAnotherRankAndSlicesStay() throws LayoutException {
    ReshapePlan plan = ReshapePlan.of(2, regions(slice(0, 4)), saved(slice(0, 8), slice(0, 8)));
    assertThat(plan.hasReplicasOf(0)).isTrue();
    ReshapePlan moved = plan.withReplicasOf(1);
    assertThat(moved.hasReplicasOf(0)).isFalse();
    assertThat(moved.shares())
        .isEqualTo(
            Map.of(
                0, List.of(new Part("w", box(0, 8), box(0, 4), box(0, 4))),
                1, List.of(new Whole("rate"))));
    assertThat(moved.withReplicasOf(0).shares().keySet()).containsExactly(0);
  }

  @Test
  void aRegionThatMayBeDroppedIsNotRead() throws LayoutException {
    LayoutEntry droppable = new LayoutEntry(Layout.perRankOrDropped(), "");
    ReshapePlan plan = ReshapePlan.of(0, regions(droppable), saved(droppable, slice(0, 8)));
    assertThat(plan.shares()).isEqualTo(Map.of(0, List.of(new Whole("rate"))));
    assertThat(ReshapePlan.lacking(regions(droppable))).isEmpty();
    refused(slice(0, 8), saved(droppable), "[w]", "saved without");
  }

  private static void refused(LayoutEntry wanted, List<Layouts> saved, String... words) {
    assertThatExceptionOfType(LayoutException.class)
        .isThrownBy(() -> ReshapePlan.of(0, regions(wanted), saved))
        .withMessageContainingAll(words);
  }

  @Test
  void theReasonOfARefusalNamesTheRegion() {
    refused(LayoutEntry.perRank(), saved(slice(0, 8)), "[w]", "no layout here", "withLayout");
    refused(
        slice(0, 8),
        saved(slice(0, 8), LayoutEntry.perRank()),
        "[w]",
        "saved without",
        "resume with 2 ranks",
        "perRankOrDropped");
    refused(
        slice(0, 8),
        saved(slice(0, 3), slice(5, 3)),
        "region w",
        "3 of 2",
        "resume with 2 ranks and the slices that they had");
    refused(slice(0, 8), saved(slice(0, 8), slice("double", 8, 0, 8)), "double 8 of rank 1");
    refused(slice(0, 8), saved(slice("float", 9, 0, 9)), "float 9 of rank 0", "float 8 here");
    refused(slice(0, 8), saved(LayoutEntry.replicated()), "a replica of rank 0", "protect it with");
  }

  @Test
  void entriesAreReadAsTheyWereWritten() throws LayoutException {
    Map<String, LayoutEntry> many = new TreeMap<>();
    for (int i = 0; i < 300; i++) {
      many.put("shared-" + i, LayoutEntry.replicated());
    }
    many.put("own", LayoutEntry.perRank());
    many.put("w", slice(2, 4));
    for (Map<String, LayoutEntry> regions : List.of(many, regions(slice(0, 8)))) {
      Layouts written = Layouts.of(regions);
      Fingerprint entries = written.addTo(Fingerprint.NONE);
      assertThat(entries.entries()).hasSizeLessThan(4);
      assertThat(Layouts.of(entries)).isEqualTo(written);
      regions.forEach((region, entry) -> assertThat(written.of(region)).isEqualTo(entry));
    }
    assertThat(Layouts.of(Fingerprint.NONE).of("w")).isEqualTo(LayoutEntry.perRank());
  }

  /** Whichever layout has an entry of its own, the other regions are too many without it. */
  @Test
  void manyRegionsAreNamedIfOneWayHasRoom() throws LayoutException {
    Map<String, LayoutEntry> ofRank = new TreeMap<>();
    Map<String, LayoutEntry> slices = new TreeMap<>();
    for (int i = 0; i <= Layouts.MAX_NAMED; i++) {
      ofRank.put("own" + i, LayoutEntry.perRank());
      slices.put("w" + i, i < 60 ? slice(0, 8) : LayoutEntry.replicated());
    }
    for (int i = 0; i < 20; i++) {
      ofRank.put("rate" + i, LayoutEntry.replicated());
    }
    Map<String, LayoutEntry> generators = new TreeMap<>(regions(slice(0, 8)));
    for (int i = 0; i <= Layouts.MAX_NAMED; i++) {
      generators.put("rng" + i, LayoutEntry.droppable());
    }
    for (Map<String, LayoutEntry> regions : List.of(ofRank, slices, generators)) {
      Layouts written = Layouts.of(regions);
      assertThat(Layouts.of(written.addTo(Fingerprint.NONE))).isEqualTo(written);
      assertThat(written.entries()).isLessThanOrEqualTo(Layouts.MAX_NAMED);
      regions.forEach((region, entry) -> assertThat(written.of(region)).isEqualTo(entry));
    }
  }

  @Test
  void moreLayoutsThanAManifestTakesAreRefused() {
    Map<String, LayoutEntry> many = new TreeMap<>();
    for (int i = 0; i <= Layouts.MAX_NAMED; i++) {
      many.put("w" + i, slice(0, 8));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Layouts.of(many))
        .withMessageContaining("65 regions")
        .withMessageContaining("put several into one");
  }

  @Test
  void anEntryThatIsNoLayoutIsRefused() {
    assertThatExceptionOfType(LayoutException.class)
        .isThrownBy(() -> Layouts.of(Fingerprint.NONE.with("layout.w", "slice float 4 at 9 of 1")))
        .withMessageContaining("layout.w")
        .withMessageContainingAll("at 9", "resume with the version that wrote it");
  }

  /** Layouts are no property of the program. */
  @Test
  void anotherLayoutIsNoOtherProgram() {
    Fingerprint there = Layouts.of(regions(slice(0, 8))).addTo(Fingerprint.NONE.with("data", "a"));
    assertThat(there.differences(Fingerprint.NONE.with("data", "a"))).isEmpty();
    assertThat(there.differences(Fingerprint.NONE.with("data", "b"))).containsOnlyKeys("data");
  }
}
