package io.cairn.cache.capture;

import io.cairn.RestoreException;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/** Checks whether a checkpoint fits the regions of this application. */
final class Shape {
  static final String REMEDY =
      "Resume with the program that wrote it; or, to start afresh, name another group or job, or"
          + " set resume (on Spark spark.cairn.resume) to never";

  private static final String BYTES = "byte[";

  private Shape() {}

  static void check(
      Map<String, ProtectedRegion> regions, List<RegionImage> images, String checkpoint) {
    Set<String> names = new HashSet<>();
    for (RegionImage image : images) {
      ProtectedRegion region = regions.get(image.name());
      if (region == null || !names.add(image.name())) {
        throw differs(regions, images, checkpoint);
      }
      long expected = region.expectedBytes(image.bytes());
      if (image.bytes() != expected) {
        throw new RestoreException(
            String.format(
                Locale.ROOT,
                ("cannot restore %s: region %s has %d bytes there and %d bytes here;"
                    + " it was captured from a model of another shape. %s"),
                checkpoint,
                image.name(),
                image.bytes(),
                expected,
                REMEDY));
      }
    }
    if (images.size() != regions.size()) {
      throw differs(regions, images, checkpoint);
    }
  }

  /** Refuses another program, unless its differences are accepted; returns those. */
  static List<String> requireAccepted(
      SortedMap<String, String> differences, String checkpoint, Set<String> accepted) {
    if (!accepted.containsAll(differences.keySet())) {
      throw new RestoreException(
          "cannot restore %s: another program wrote it. %s. %s. If the change is deliberate, set"
                  .formatted(checkpoint, String.join("; ", differences.values()), REMEDY)
              + " accept (on Spark spark.cairn.accept) to "
              + String.join(",", differences.keySet()));
    }
    return List.copyOf(differences.values());
  }

  /**
   * In what a program differs from the one that wrote a checkpoint. Plain bytes may have got a kind
   * since: what they meant is not known.
   */
  static SortedMap<String, String> differences(
      Map<String, ProtectedRegion> regions, Fingerprint writer, Fingerprint program) {
    SortedMap<String, String> differences = writer.differences(program);
    for (ProtectedRegion region : regions.values()) {
      String there = writer.entries().getOrDefault(entry(region.name()), "");
      if (region.mayHaveBeenBytes() && there.startsWith(BYTES)) {
        differences.remove(entry(region.name()));
      }
    }
    return differences;
  }

  /** The entry of a fingerprint that describes a region. */
  static String entry(String region) {
    return "region." + region;
  }

  /** Checks that a checkpoint holds these regions, and possibly others, each of its kind. */
  static void checkParts(
      Map<String, ProtectedRegion> regions,
      List<RegionImage> images,
      Fingerprint writer,
      String checkpoint) {
    List<String> there = images.stream().map(RegionImage::name).toList();
    for (ProtectedRegion region : regions.values()) {
      if (!there.contains(region.name())) {
        throw new RestoreException(
            "cannot load region %s of %s, which holds the regions %s; give these names"
                .formatted(region.name(), checkpoint, there));
      }
      String kind = writer.entries().get(entry(region.name()));
      if (kind != null && !alike(kind, region.kind())) {
        throw new RestoreException(
            "cannot load region %s of %s: it is %s there and %s here; give memory of that kind"
                .formatted(region.name(), checkpoint, kind, region.kind()));
      }
    }
  }

  /**
   * Bytes may be read as anything, an array of any length as one of its length, and gathered spans
   * as one array.
   */
  private static boolean alike(String there, String here) {
    boolean anyLength =
        (there.endsWith(RegionKind.ANY_LENGTH) || here.endsWith(RegionKind.ANY_LENGTH))
            && RegionKind.element(there).equals(RegionKind.element(here));
    boolean oneArray = there.equals(RegionKind.flat(here)) || RegionKind.flat(there).equals(here);
    return anyLength || oneArray || there.startsWith(BYTES) || here.startsWith(BYTES);
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
