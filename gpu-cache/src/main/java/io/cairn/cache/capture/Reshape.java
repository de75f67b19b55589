package io.cairn.cache.capture;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.layout.LayoutException;
import io.cairn.core.layout.Overlap;
import io.cairn.core.layout.ReshapePlan;
import io.cairn.core.layout.ReshapePlan.Part;
import io.cairn.core.layout.ReshapePlan.Share;
import io.cairn.core.layout.ReshapePlan.Whole;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import io.cairn.internal.Box;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * One rank's restore from the checkpoint of a group of another size, or with other slices: it takes
 * bytes of several saved ranks. The caller opens one saved rank after the other, so no more than
 * one chunk is in memory. Used once, by the training thread.
 */
public final class Reshape {
  private final DeviceMemory device;
  private final Map<String, ProtectedRegion> regions;
  private final ReshapePlan plan;
  private final List<String> accepted;
  private final Set<String> droppable;
  private final boolean allRegions;
  private final List<Runnable> loads = new ArrayList<>();

  /** The first rank that was compared, with the images of its replicas. */
  private final Map<String, Replica> replicas = new HashMap<>();

  private record Replica(int rank, RegionImage image) {}

  /**
   * Nothing is read yet.
   *
   * @param regions all protected regions, by name
   * @param accepted differences of the programs
   * @param droppable regions that are not read
   * @param allRegions whether the checkpoint must hold no further regions
   */
  Reshape(
      DeviceMemory device,
      Map<String, ProtectedRegion> regions,
      ReshapePlan plan,
      List<String> accepted,
      Set<String> droppable,
      boolean allRegions) {
    this.device = device;
    this.regions = Map.copyOf(regions);
    this.plan = plan;
    this.accepted = List.copyOf(accepted);
    this.droppable = Set.copyOf(droppable);
    this.allRegions = allRegions;
  }

  /** The same, of which nothing is read yet, with every replicated region from this saved rank. */
  public Reshape withReplicasOf(int saved) {
    return new Reshape(
        device, regions, plan.withReplicasOf(saved), accepted, droppable, allRegions);
  }

  /** Whether a saved rank gives replicated regions. */
  public boolean hasReplicasOf(int saved) {
    return plan.hasReplicasOf(saved);
  }

  /** The accepted differences between this program and those that wrote the checkpoint. */
  public List<String> accepted() {
    return accepted;
  }

  /** The saved ranks whose bytes are needed, each with its share. */
  public SortedMap<Integer, List<Share>> shares() {
    return plan.shares();
  }

  /** The protected regions that keep their bytes, by name. */
  public List<String> dropped() {
    return droppable.stream().sorted().toList();
  }

  /** Whether a region is replicated. */
  public boolean hasReplicas() {
    return !replicated().isEmpty();
  }

  private Set<String> replicated() {
    return plan.shares().values().stream()
        .flatMap(List::stream)
        .filter(Whole.class::isInstance)
        .map(Share::region)
        .collect(Collectors.toSet());
  }

  /**
   * Compares the replicas of a saved rank with those of the first one that was compared, by their
   * checksums. Reads no chunk.
   *
   * @throws LayoutException if they differ, although the ranks declared them as equal
   */
  public void compareReplicas(int saved, List<RegionImage> images) throws LayoutException {
    Set<String> replicated = replicated();
    for (RegionImage image : images) {
      if (replicated.contains(image.name())) {
        Replica first = replicas.computeIfAbsent(image.name(), n -> new Replica(saved, image));
        // chunks of other lengths have other checksums
        if (first.image().chunkBytes() == image.chunkBytes() && !first.image().equals(image)) {
          throw new LayoutException(
              String.format(
                  Locale.ROOT,
                  "region %s was declared as replicated, and ranks %d and %d have different bytes:"
                      + " resume with the number of ranks that wrote it, each of which then reads"
                      + " its own",
                  image.name(),
                  first.rank(),
                  saved));
        }
      }
    }
  }

  /**
   * Reads every needed chunk of one saved rank. Writes nothing but the staging buffer.
   *
   * @param images of the saved rank
   * @param reader verifies the chunks
   * @param staging as long as a chunk at least
   * @throws LayoutException if the regions are not as long as their layouts say
   * @throws IOException if a chunk cannot be read, or does not verify
   */
  public void verify(int saved, List<RegionImage> images, ChunkReader reader, ByteBuffer staging)
      throws IOException, LayoutException {
    new PartRestore(images, overlaps(saved, images)).verify(reader, staging);
  }

  /**
   * Copies the bytes of one saved rank into the protected memory. Throws as {@link #verify} does;
   * the regions' content is undefined then, and no blob was loaded.
   *
   * @return the bytes that were copied
   */
  public long copy(int saved, List<RegionImage> images, ChunkReader reader, ByteBuffer staging)
      throws IOException, LayoutException {
    PartRestore part = new PartRestore(images, overlaps(saved, images));
    try (RegionWriter writer = new RegionWriter(device)) {
      part.copy(reader, staging, targets(saved, images), writer);
    }
    return part.bytes();
  }

  /** Loads the blobs, after the bytes of all saved ranks were copied. */
  public void load() {
    loads.forEach(Runnable::run);
  }

  private List<Share> sharesOf(int saved) {
    return plan.shares().getOrDefault(saved, List.of());
  }

  private Map<String, CaptureSource> targets(int saved, List<RegionImage> images) {
    Map<String, CaptureSource> targets = new HashMap<>();
    for (Share share : sharesOf(saved)) {
      ProtectedRegion region = region(share);
      targets.put(
          share.region(),
          share instanceof Whole
              ? region.target(image(images, share), loads)
              : region.target(loads));
    }
    return targets;
  }

  private Map<String, List<Overlap>> overlaps(int saved, List<RegionImage> images)
      throws LayoutException {
    requireRegions(saved, images);
    Map<String, List<Overlap>> overlaps = new HashMap<>();
    for (Share share : sharesOf(saved)) {
      RegionImage image = image(images, share);
      List<Overlap> of = overlaps.computeIfAbsent(share.region(), region -> new ArrayList<>());
      if (share instanceof Part part) {
        of.add(overlap(saved, image, part));
      } else {
        requireShape(saved, image, region(share).expectedBytes(image.bytes()));
        all(image).ifPresent(of::add);
      }
    }
    return overlaps;
  }

  private void requireRegions(int saved, List<RegionImage> images) throws LayoutException {
    Set<String> there = images.stream().map(RegionImage::name).collect(Collectors.toSet());
    Set<String> needed = new HashSet<>(regions.keySet());
    needed.removeAll(droppable);
    boolean fits =
        there.containsAll(needed) && (!allRegions || regions.keySet().containsAll(there));
    if (!fits) {
      throw new LayoutException(
          String.format(
              Locale.ROOT,
              "rank %d has the regions %s there, this application protects %s: protect the same"
                  + " ones, or give the group another name to start afresh",
              saved,
              there,
              regions.keySet()));
    }
  }

  private static Optional<Overlap> all(RegionImage image) {
    Box bytes = Box.whole(image.bytes());
    return image.bytes() == 0 ? Optional.empty() : Optional.of(new Overlap(bytes, bytes, bytes, 1));
  }

  private Overlap overlap(int saved, RegionImage image, Part part) throws LayoutException {
    int elementBytes = SliceElements.bytes(region(part).now().bytes(), part.wanted());
    long most = image.bytes() / elementBytes + 1; // a hostile layout may have too many to multiply
    requireShape(saved, image, Math.min(part.saved().elements(), most) * elementBytes);
    return new Overlap(part.saved(), part.wanted(), part.elements(), elementBytes);
  }

  private static void requireShape(int saved, RegionImage image, long expected)
      throws LayoutException {
    if (image.bytes() != expected) {
      throw new LayoutException(
          String.format(
              Locale.ROOT,
              "region %s of rank %d has %d bytes there, and %d by its layout here: protect it with"
                  + " the elements that it was saved with",
              image.name(),
              saved,
              image.bytes(),
              expected));
    }
    if (image.chunkBytes() % Long.BYTES != 0) {
      throw new LayoutException(
          String.format(
              Locale.ROOT,
              "region %s of rank %d: chunks of %d bytes cut elements, so its copy is damaged, and"
                  + " an older checkpoint is needed",
              image.name(),
              saved,
              image.chunkBytes()));
    }
  }

  private ProtectedRegion region(Share share) {
    return Objects.requireNonNull(regions.get(share.region()));
  }

  private static RegionImage image(List<RegionImage> images, Share share) {
    return images.stream()
        .filter(image -> image.name().equals(share.region()))
        .findFirst()
        .orElseThrow();
  }
}
