package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.Digest;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.codec.ChunkEncoder;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the container of one rank again, with the index that it had. The manifest names the digest
 * of the index, and the index has offset, length and checksum of every chunk. So the new file takes
 * the place of the old one in every manifest, and in the files that lean on it. Not thread-safe.
 */
public final class ContainerRewrite {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerRewrite.class);

  private final CheckpointId id;
  private final ContainerSummary container;
  private final ContainerVersion version;
  private final ByteBuffer indexBytes;
  private final ContainerIndex.RankIndex index;
  private final List<Place> places;
  private final ChunkChecksum checksum = new ChunkChecksum();
  private final ByteBuffer stored;
  private final ByteBuffer decoded;
  private final ChunkEncoder encoder;

  /** The stored bytes of a chunk in the file. */
  private record Place(int region, int chunk, StoredChunks of) {
    long offset() {
      return of.offset(chunk);
    }

    int bytes() {
      return of.bytes(chunk);
    }
  }

  private ContainerRewrite(
      CheckpointId id, ContainerSummary container, ContainerVersion version, ByteBuffer indexBytes)
      throws IOException {
    this.id = id;
    this.container = container;
    this.version = version;
    this.indexBytes = indexBytes;
    long end = container.bytes() - ContainerTrailer.BYTES - indexBytes.remaining();
    int rank = container.ranks().get(0);
    this.index =
        Optional.ofNullable(decode(indexBytes, container.file(), end, version).ranks().get(rank))
            .orElseThrow(() -> new FormatException(container.file(), end, "lacks rank " + rank));
    this.places = places();
    int longest = 1;
    for (Place place : places) {
      longest = Math.max(longest, index.images().get(place.region()).chunkLength(place.chunk()));
    }
    this.stored = ByteBuffer.allocateDirect(longest);
    this.decoded = ByteBuffer.allocateDirect(longest);
    this.encoder = new ChunkEncoder(Compression.NONE, longest, System::nanoTime);
  }

  /**
   * Prepares to write a container, if its index is found.
   *
   * @param container of one rank, as a manifest lists it
   * @param file where its index is looked for; the digest proves that it is the same
   * @return empty if the file does not exist, cannot be read or is damaged there, or has another
   *     index
   * @throws IOException if the container holds several ranks
   */
  public static Optional<ContainerRewrite> of(
      CheckpointId id, ContainerSummary container, ReadableStore store, String file)
      throws IOException {
    requireOneRank(container);
    try (StoreInput input = store.open(StoreNames.file(id, file))) {
      ContainerTrailer trailer = ContainerReader.readTrailer(input, file);
      ByteBuffer bytes = ByteBuffer.allocate(trailer.indexBytes());
      input.readFully(trailer.indexOffset(), bytes);
      return Digest.of(bytes.flip().duplicate()).equals(container.indexDigest())
          ? Optional.of(new ContainerRewrite(id, container, version(container, bytes), bytes))
          : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      // a lost block or a bad disk fails each read, and another copy may have the index
      LOG.debug("{} shows no index in {}", file, store.describe(), e);
      return Optional.empty();
    }
  }

  /**
   * Prepares to write a container whose index is nowhere. That of a container without compression
   * follows from the regions; the digest proves it.
   *
   * @param images of its rank
   * @return empty if it has another index
   * @throws IOException if the container holds several ranks
   */
  public static Optional<ContainerRewrite> of(
      CheckpointId id, ContainerSummary container, List<RegionImage> images) throws IOException {
    requireOneRank(container);
    ChunkReader none =
        (region, chunk, into) -> {
          throw new IOException("no chunk is read for an index");
        };
    RankChunks whole = new RankChunks(container.ranks().get(0), images, none);
    ByteBuffer index = PlainIndex.of(Parts.named(container.file(), whole));
    return Digest.of(index.duplicate()).equals(container.indexDigest())
        ? Optional.of(new ContainerRewrite(id, container, ContainerVersion.PLAIN, index))
        : Optional.empty();
  }

  private static void requireOneRank(ContainerSummary container) throws IOException {
    if (container.ranks().size() != 1) {
      throw new IOException(container.file() + " holds several ranks: only one is written again");
    }
  }

  /** The header may be damaged, so the index itself shows its version. */
  private static ContainerVersion version(ContainerSummary container, ByteBuffer bytes)
      throws IOException {
    long end = container.bytes() - ContainerTrailer.BYTES - bytes.remaining();
    try {
      decode(bytes, container.file(), end, ContainerVersion.PLAIN);
      return ContainerVersion.PLAIN;
    } catch (FormatException e) {
      return ContainerVersion.ENCODED;
    }
  }

  private static ContainerIndex decode(
      ByteBuffer bytes, String file, long end, ContainerVersion version) throws FormatException {
    return ContainerIndex.decode(bytes.duplicate(), file, end, version);
  }

  private List<Place> places() {
    List<Place> all = new ArrayList<>();
    for (int region = 0; region < index.images().size(); region++) {
      StoredChunks of = index.stored().get(region);
      for (int chunk = 0; chunk < index.images().get(region).chunks(); chunk++) {
        if (of.holds(chunk) && of.holder(chunk) == Base.ITSELF) {
          all.add(new Place(region, chunk, of));
        }
      }
    }
    all.sort(Comparator.comparingLong(Place::offset));
    return all;
  }

  /**
   * The number of chunks in a file whose stored bytes cannot be read, or are not as the index says.
   *
   * @throws IOException if header, trailer or length are bad, or cannot be read
   */
  public int badChunks(ReadableStore store, String file) throws IOException {
    ContainerSummary expected =
        new ContainerSummary(
            file,
            container.bytes(),
            container.indexDigest(),
            container.ranks(),
            container.holders(),
            container.fingerprint());
    ContainerReader.open(store, id, expected).close();
    int bad = 0;
    try (StoreInput input = store.open(StoreNames.file(id, file))) {
      for (Place place : places) {
        bad += isGood(input, place) ? 0 : 1;
      }
    }
    return bad;
  }

  /** Reads the stored bytes of a chunk, from index 0 of the buffer, and compares them. */
  private boolean isGood(StoreInput input, Place place) {
    stored.clear().limit(place.bytes());
    try {
      input.readFully(place.offset(), stored);
    } catch (IOException e) {
      LOG.debug("{} of {} cannot be read", place, container.file(), e);
      return false;
    }
    return checksum.before(stored, 0) == place.of().checksum(place.chunk());
  }

  /**
   * Writes the container under another name, syncs it, and reads it back.
   *
   * @param from files of this store whose chunks are taken as far as they are good
   * @param images of the other copy
   * @param other reads the other copy, whose chunks are compared before they are written
   * @return the chunks that came from the other copy
   * @throws IOException if a chunk has no good copy, or if the new file is not as the index says;
   *     the file is deleted then, if possible
   */
  public int write(
      CheckpointStore store,
      int groupSize,
      String to,
      List<String> from,
      List<RegionImage> images,
      ChunkReader other)
      throws IOException {
    String path = StoreNames.file(id, to);
    Map<String, Integer> regions = byName(images);
    try {
      int taken = 0;
      try (Inputs inputs = new Inputs(store, from);
          StoreOutput out = store.create(path)) {
        out.write(new ContainerHeader(id, groupSize, BootId.current(), version).encode());
        for (Place place : places) {
          if (!inputs.take(place)) {
            fetch(place, images, regions, other);
            taken++;
          }
          out.write(stored.flip());
        }
        out.write(indexBytes.duplicate());
        long end = container.bytes() - ContainerTrailer.BYTES - indexBytes.remaining();
        out.write(
            new ContainerTrailer(end, indexBytes.remaining(), container.indexDigest()).encode());
        out.sync();
      }
      int bad = badChunks(store, to);
      if (bad > 0) {
        throw new FormatException(store.describe() + "/" + path, 0, bad + " chunks are bad again");
      }
      return taken;
    } catch (IOException | RuntimeException e) {
      discard(store, path, e);
      throw e;
    }
  }

  private static Map<String, Integer> byName(List<RegionImage> images) {
    Map<String, Integer> regions = new HashMap<>();
    for (int region = 0; region < images.size(); region++) {
      regions.put(images.get(region).name(), region);
    }
    return regions;
  }

  /** Fills the buffer with the stored bytes of a chunk of the other copy. */
  private void fetch(
      Place place, List<RegionImage> images, Map<String, Integer> regions, ChunkReader other)
      throws IOException {
    RegionImage image = index.images().get(place.region());
    Integer region = regions.get(image.name());
    if (region == null || !images.get(region).equals(image)) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "chunk %d of region %s is bad, and no node has another copy of it",
              place.chunk(),
              image.name()));
    }
    decoded.clear().limit(image.chunkLength(place.chunk()));
    other.read(region, place.chunk(), decoded);
    int found = checksum.before(decoded, 0);
    if (found != image.checksum(place.chunk())) {
      throw new IOException(
          "the other copy is bad, too: " + ContainerReader.mismatch(image, place.chunk(), found));
    }
    encode(place, image);
  }

  private void encode(Place place, RegionImage image) throws IOException {
    ByteBuffer bytes = decoded.flip();
    if (!place.of().isRaw(place.chunk())) {
      bytes = encoder.encodeAs(place.of().encoding(place.chunk()), bytes);
    }
    boolean fits = bytes.remaining() == place.bytes();
    stored.clear();
    if (fits) {
      stored.put(bytes);
    }
    if (!fits || checksum.before(stored, 0) != place.of().checksum(place.chunk())) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "chunk %d of region %s was compressed by another version of its library",
              place.chunk(),
              image.name()));
    }
  }

  private static void discard(CheckpointStore store, String path, Exception cause) {
    try {
      store.delete(path);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** Open files of this store, the best first. */
  private final class Inputs implements AutoCloseable {
    private final List<StoreInput> open = new ArrayList<>();

    Inputs(CheckpointStore store, List<String> files) {
      for (String file : files) {
        add(store, StoreNames.file(id, file));
      }
    }

    private void add(CheckpointStore store, String path) {
      try {
        open.add(store.open(path));
      } catch (IOException e) {
        LOG.debug("{} has no chunks to take", path, e);
      }
    }

    boolean take(Place place) {
      for (StoreInput input : open) {
        if (isGood(input, place)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void close() throws IOException {
      for (StoreInput input : open) {
        input.close();
      }
    }
  }
}
