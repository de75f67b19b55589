package io.cairn.cache.capture;

import io.cairn.core.model.RegionImage;
import io.cairn.core.session.RestoreException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks whether a checkpoint fits the regions of this application. */
final class Shape {
  /** A blob is restored as an array. */
  private static final long MAX_BLOB_BYTES = Integer.MAX_VALUE - 8;

  static final String REMEDY =
      "Resume with the program that wrote it; or, to start afresh, name another group or job, or"
          + " set cairn.resume to never";

  private Shape() {}

  static void check(
      Map<String, ProtectedRegion> regions, List<RegionImage> images, String checkpoint) {
    Set<String> names = new HashSet<>();
    for (RegionImage image : images) {
      ProtectedRegion region = regions.get(image.name());
      if (region == null || !names.add(image.name())) {
        throw differs(regions, images, checkpoint);
      }
      long expected = region.fixedBytes().orElse(Math.min(image.bytes(), MAX_BLOB_BYTES));
      if (image.bytes() != expected) {
        throw new RestoreException(
            ("cannot restore %s: region %s has %d bytes there and %d bytes here;"
                    + " it was captured from a model of another shape. %s")
                .formatted(checkpoint, image.name(), image.bytes(), expected, REMEDY));
      }
    }
    if (images.size() != regions.size()) {
      throw differs(regions, images, checkpoint);
    }
  }

  private static RestoreException differs(
      Map<String, ProtectedRegion> regions, List<RegionImage> images, String checkpoint) {
    return new RestoreException(
        "cannot restore %s: it holds the regions %s, this application protects %s. %s"
            .formatted(
                checkpoint,
                images.stream().map(RegionImage::name).toList(),
                regions.keySet(),
                REMEDY));
  }
}
