package io.cairn.cache.capture;

import io.cairn.Layout;
import io.cairn.Strides;
import io.cairn.core.layout.LayoutEntry;
import io.cairn.internal.Box;
import java.util.Locale;

/** The elements of a region that is a slice. */
final class SliceElements {
  private SliceElements() {}

  /**
   * The entry that declares a region's layout.
   *
   * @throws IllegalArgumentException if a slice has not as many elements as the region, or the
   *     region's length is not fixed, or its elements are not in row-major order; also as {@link
   *     LayoutEntry} says
   */
  static LayoutEntry entry(ProtectedRegion region, Layout layout) {
    if (!layout.isSlice()) {
      return new LayoutEntry(layout, "");
    }
    long bytes =
        region
            .fixedBytes()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "region %s has no fixed length, so it is no slice: protect it as replicated"
                            .formatted(region.name())));
    if (Strides.areIn(region.kind())) {
      throw new IllegalArgumentException(
          "region %s is %s, and a slice is in row-major order: protect it without strides"
              .formatted(region.name(), region.kind()));
    }
    Box part = LayoutEntry.part(layout);
    String element = RegionKind.element(region.kind());
    int known = RegionKind.elementBytes(element);
    long elements = part.elements();
    boolean fits =
        known > 0 ? elements == bytes / known && bytes % known == 0 : divides(elements, bytes);
    if (!fits) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "region %s is %s of %d bytes, and its slice %s has %d elements",
              region.name(),
              region.kind(),
              bytes,
              part,
              elements));
    }
    return new LayoutEntry(layout, element);
  }

  private static boolean divides(long elements, long bytes) {
    return elements == 0
        ? bytes == 0
        : bytes % elements == 0 && bytes / elements <= Integer.MAX_VALUE;
  }

  /** Bytes of an element of a region that is such a slice, which is not empty. */
  static int bytes(long regionBytes, Box part) {
    return (int) (regionBytes / part.elements());
  }
}
