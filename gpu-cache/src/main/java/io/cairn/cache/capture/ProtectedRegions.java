package io.cairn.cache.capture;

import io.cairn.Digest;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.layout.LayoutEntry;
import io.cairn.core.layout.ReshapePlan;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.core.threads.ChunkLanes;
import io.cairn.internal.PathSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The regions of one rank, in the order of their protection, and the program that they belong to.
 * Not thread-safe: the training thread owns it.
 */
public final class ProtectedRegions {
  private static final String REGION = "region";

  /** More regions are described by one digest, so that a manifest of many ranks stays small. */
  private static final int MOST_DESCRIBED = 16;

  private final DeviceMemory device;
  private final int chunkBytes;
  private final Map<String, ProtectedRegion> regions = new LinkedHashMap<>();
  private final RegionStorage storage = new RegionStorage();
  private final RegionLayouts layouts = new RegionLayouts();
  private Fingerprint described = Fingerprint.NONE;

  /** By the names of entries, which values of checkpoints mean the same. */
  private final Map<String, Predicate<String>> synonyms = new HashMap<>();

  private @Nullable Fingerprint program;

  /**
   * No regions yet.
   *
   * @param device copies from and to regions that lie on a device, and refuses those out of reach
   * @param chunkBytes length of every chunk but a region's last; a multiple of 8
   */
  public ProtectedRegions(DeviceMemory device, int chunkBytes) {
    if (chunkBytes < 1 || chunkBytes % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "chunks of " + chunkBytes + " bytes: the length must be a multiple of " + Long.BYTES);
    }
    this.device = device;
    this.chunkBytes = chunkBytes;
  }

  /**
   * Adds a region to every later snapshot and restore. The calling thread must own the memory: the
   * check for memory that is protected twice may briefly change a byte of direct buffers. No host
   * thread touches memory that lies on a device.
   *
   * @throws IllegalArgumentException naming the regions, if the name or a byte of the memory is
   *     protected already; also if the memory cannot be captured, or the device does not reach it.
   *     Also if the program has more entries than a manifest has room for, a slice has not as many
   *     elements as the region, or a region without floats or doubles is to be lossy
   */
  public void protect(Region region, RegionOptions asked) {
    if (regions.containsKey(region.name())) {
      throw new IllegalArgumentException("region " + region.name() + " is protected already");
    }
    ProtectedRegion added = ProtectedRegion.of(region, device);
    int options = storage.requireLegal(added, asked);
    LayoutEntry layout = SliceElements.entry(added, asked.layout());
    int ofLayouts = layouts.requireRoom(region.name(), layout);
    int others = described.entries().size() + options + ofLayouts;
    requireRoom("region " + region.name(), regions.size() + 1, others);
    put(added);
    storage.put(added, asked);
    layouts.add(region.name(), layout);
  }

  /** Like the other, with {@link RegionOptions#DEFAULT}. */
  public void protect(Region region) {
    protect(region, RegionOptions.DEFAULT);
  }

  /** The names of all regions. */
  public Set<String> names() {
    return Set.copyOf(regions.keySet());
  }

  /**
   * Replaces the region of the same name, whose memory moved. Snapshots taken before keep the old
   * place.
   *
   * @throws IllegalArgumentException if no region has that name, or its length or its kind differs;
   *     also as {@link #protect} says of memory
   */
  public void relocate(Region region) {
    ProtectedRegion old = regions.get(region.name());
    if (old == null) {
      throw new IllegalArgumentException("region " + region.name() + " is not protected");
    }
    ProtectedRegion moved = ProtectedRegion.of(region, device);
    if (!moved.fixedBytes().equals(old.fixedBytes())) {
      throw new IllegalArgumentException(
          "region %s has %s bytes in its new place and %s in its old one"
              .formatted(moved.name(), bytes(moved), bytes(old)));
    } else if (!moved.kind().equals(old.kind())) {
      throw new IllegalArgumentException(
          "region %s is %s in its new place and %s in its old one"
              .formatted(moved.name(), moved.kind(), old.kind()));
    }
    put(moved);
  }

  private static String bytes(ProtectedRegion region) {
    return region.fixedBytes().map(String::valueOf).orElse("any number of");
  }

  private void put(ProtectedRegion added) {
    for (ProtectedRegion other : regions.values()) {
      if (!other.name().equals(added.name()) && added.overlaps(other)) {
        throw new IllegalArgumentException(
            "region %s shares memory with region %s, which is protected already"
                .formatted(added.name(), other.name()));
      }
    }
    regions.put(added.name(), added);
    program = null;
  }

  /**
   * Adds an entry to the program's fingerprint.
   *
   * @throws IllegalArgumentException if the name is taken or reserved, name or value are not legal,
   *     or the program has more entries than a manifest has room for
   */
  public void describe(String name, String value) {
    describe(name, value, there -> false);
  }

  /**
   * Like the other.
   *
   * @param same whether another value of a checkpoint means the same
   */
  public void describe(String name, String value, Predicate<String> same) {
    PathSegment.require("entry", name);
    if (name.startsWith(REGION) || Fingerprint.isOfStorage(name) || Fingerprint.isLayout(name)) {
      throw new IllegalArgumentException(
          "entry %s: names that begin so describe protected regions; give another name"
              .formatted(name));
    }
    if (name.startsWith(Fingerprint.OF_CHECKPOINT)) {
      throw new IllegalArgumentException(
          "entry %s: names that begin with %s describe checkpoints"
              .formatted(name, Fingerprint.OF_CHECKPOINT));
    }
    requireRoom("entry " + name, regions.size(), besideRegions() + 1);
    described = described.with(name, value);
    synonyms.put(name, same);
    program = null;
  }

  private int besideRegions() {
    return described.entries().size() + storage.entries() + layouts.entries();
  }

  /** Whether so many regions are one entry beside others, since they are many or have no room. */
  private static boolean areOne(int regions, int others) {
    return regions > MOST_DESCRIBED || regions + others > Fingerprint.MAX_ENTRIES;
  }

  /** A checkpoint that was captured could not be described any more. */
  private static void requireRoom(String added, int regions, int others) {
    int entries = others + (areOne(regions, others) ? Math.min(regions, 1) : regions);
    if (entries > Fingerprint.MAX_ENTRIES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              ("%s: a manifest describes a rank by at most %d entries, and this one makes %d."
                  + " Describe several facts by one digest, or put regions of equal options into"
                  + " one array"),
              added,
              Fingerprint.MAX_ENTRIES,
              entries));
    }
  }

  /** The fingerprint of the program: its entries, and kinds and options of its regions. */
  public Fingerprint program() {
    Fingerprint known = program;
    if (known == null) {
      known = layouts.addTo(storage.addTo(withRegions()));
      program = known;
    }
    return known;
  }

  private Fingerprint withRegions() {
    if (areOne(regions.size(), besideRegions())) {
      StringBuilder all = new StringBuilder();
      regions
          .values()
          .forEach(one -> all.append(one.name()).append(' ').append(one.kind()).append('\n'));
      Digest digest = Digest.of(all.toString().getBytes(StandardCharsets.US_ASCII));
      return described.with(REGION + "s", regions.size() + ", sha256 " + digest);
    }
    Fingerprint all = described;
    for (ProtectedRegion region : regions.values()) {
      all = all.with(Shape.entry(region.name()), region.kind());
    }
    return all;
  }

  /**
   * Checks that this program, or one that cannot be told from it, wrote a checkpoint.
   *
   * @param writer of the checkpoint; nothing is checked if it is empty
   * @param accepted names of entries that may differ
   * @return the accepted differences
   * @throws RestoreException with every difference and the remedy, if another program did
   */
  public List<String> checkProgram(
      Fingerprint writer, String checkpointLabel, Set<String> accepted) {
    return Shape.requireAccepted(differences(writer), checkpointLabel, accepted);
  }

  private SortedMap<String, String> differences(Fingerprint writer) {
    SortedMap<String, String> differences = Shape.differences(regions, writer, program());
    differences.keySet().removeIf(name -> meansTheSame(name, writer.entries().get(name)));
    return differences;
  }

  private boolean meansTheSame(String name, @Nullable String there) {
    Predicate<String> same = synonyms.get(name);
    return there != null && same != null && same.test(there);
  }

  /** The layouts of all regions; it changes as regions are protected. */
  public RegionLayouts layouts() {
    return layouts;
  }

  /**
   * Plans a restore from the checkpoint of a group of another size, or with other slices.
   *
   * @param rank this one
   * @param writers the programs of the saved ranks, by rank
   * @param accepted names of entries in which the programs may differ
   * @throws RestoreException if another program wrote it, or the layouts do not allow it
   */
  public Reshape reshape(
      int rank, List<Fingerprint> writers, String checkpointLabel, Set<String> accepted) {
    List<String> differences =
        layouts.checkPrograms(
            writers.stream().map(this::differences).toList(), checkpointLabel, accepted);
    ReshapePlan plan = layouts.plan(rank, writers, checkpointLabel);
    return new Reshape(device, regions, plan, differences, layouts.droppable(), true);
  }

  /** Like {@link #reshape}, of a checkpoint that may hold further regions, by any program. */
  public Reshape loadParts(int rank, List<Fingerprint> writers, String checkpointLabel) {
    layouts.requireKinds(writers, program(), checkpointLabel);
    ReshapePlan plan = layouts.plan(rank, writers, checkpointLabel);
    return new Reshape(device, regions, plan, List.of(), layouts.droppable(), false);
  }

  /**
   * The sizes of all regions now; calls each blob's supplier once.
   *
   * @throws IllegalStateException naming the region, if a blob's supplier returns null
   */
  public Snapshot snapshot() {
    return snapshot(ProtectedRegion::now);
  }

  /**
   * Like {@link #snapshot}, for a capture that begins later: it keeps a copy of each blob, whose
   * memory the application may use again at once.
   */
  public Snapshot snapshotToCopyLater() {
    return snapshot(ProtectedRegion::kept);
  }

  private Snapshot snapshot(Function<ProtectedRegion, CaptureSource> source) {
    List<Snapshot.Part> parts = new ArrayList<>(regions.size());
    for (ProtectedRegion region : regions.values()) {
      parts.add(new Snapshot.Part(region.name(), source.apply(region)));
    }
    return new Snapshot(parts, chunkBytes);
  }

  /** The slots that a capture needs at least: those of all regions whose size is fixed. */
  public int fixedChunks() {
    return regions.values().stream()
        .flatMap(region -> region.fixedBytes().stream())
        .mapToInt(bytes -> RegionImage.chunks(bytes, chunkBytes))
        .reduce(0, Math::addExact);
  }

  /**
   * Checks that a checkpoint has the regions that are protected, each of its size (a blob's may
   * differ).
   *
   * @param checkpointLabel for the message
   * @throws RestoreException naming the region and both sizes, or all names, if it has not
   */
  public void checkShape(List<RegionImage> images, String checkpointLabel) {
    Shape.check(regions, images, checkpointLabel);
  }

  /**
   * Checks the shape, then verifies and copies back every chunk, then loads the blobs, in the order
   * of the images.
   *
   * @param images of the checkpoint's regions
   * @param readers read it, each a part of it and on a thread of its own, the first on this one;
   *     region numbers are indexes into {@code images}
   * @param staging chunks pass through it; direct ones are faster. Further readers, and one that
   *     can have several reads under way, get further buffers of this length
   * @return bytes restored
   * @throws RestoreException if the shape differs; nothing was written then
   * @throws IllegalArgumentException if {@code staging} is shorter than a chunk; nothing was
   *     written
   * @throws IOException naming region, chunk, expected and found checksum, if a chunk does not
   *     verify, or if it cannot be read; the regions' content is undefined then, and no blob was
   *     loaded
   */
  public long restore(List<RegionImage> images, List<ChunkReader> readers, ByteBuffer staging)
      throws IOException {
    checkShape(images, "the checkpoint");
    List<CaptureSource> targets = new ArrayList<>(images.size());
    List<Runnable> loads = new ArrayList<>();
    for (RegionImage image : images) {
      ProtectedRegion region = Objects.requireNonNull(regions.get(image.name()));
      targets.add(region.target(image, loads));
    }
    List<ChunkRestore> lanes = new ArrayList<>(readers.size());
    for (ChunkReader reader : readers) {
      ByteBuffer own = lanes.isEmpty() ? staging : ByteBuffer.allocateDirect(staging.capacity());
      lanes.add(new ChunkRestore(device, images, reader, own));
    }
    ChunkLanes.run(
        lanes.size(),
        new ChunkNumbers(images).all(),
        (lane, first, end) -> lanes.get(lane).into(targets, first, end));
    loads.forEach(Runnable::run);
    return images.stream().mapToLong(RegionImage::bytes).sum();
  }

  /** Like the other, with one reader. */
  public long restore(List<RegionImage> images, ChunkReader reader, ByteBuffer staging)
      throws IOException {
    return restore(images, List.of(reader), staging);
  }

  /**
   * Like {@link #restore}, but of a checkpoint that may hold further regions, which are not read.
   *
   * @param writer the program that wrote it; the kinds of regions are compared as far as it says
   * @param checkpointLabel for messages
   * @throws RestoreException if a region is missing there, or has another size or kind
   */
  public long load(
      List<RegionImage> images,
      Fingerprint writer,
      List<ChunkReader> readers,
      ByteBuffer staging,
      String checkpointLabel)
      throws IOException {
    Shape.checkParts(regions, images, writer, checkpointLabel);
    List<Integer> wanted =
        IntStream.range(0, images.size())
            .filter(region -> regions.containsKey(images.get(region).name()))
            .boxed()
            .toList();
    List<RegionImage> parts = wanted.stream().map(images::get).toList();
    return restore(
        parts,
        readers.stream().<ChunkReader>map(each -> new SelectedRegions(each, wanted)).toList(),
        staging);
  }
}
