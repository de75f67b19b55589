package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.ContentHash;
import io.cairn.core.model.OpenParts;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.codec.ChunkDecoder;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.DataFormatException;

/**
 * Reads a container that a manifest names. Opening verifies that header, index and trailer were
 * written for that checkpoint. Chunks are verified by {@link #verify} or by the caller that reads
 * them. Not thread-safe.
 */
public final class ContainerReader implements Closeable {
  private final StoreInput input;
  private final String file;
  private final ContainerIndex index;
  private final HolderInputs holders;
  private final ChunkChecksum checksum = new ChunkChecksum();
  private final ChunkDecoder decoder;

  private ContainerReader(
      StoreInput input,
      String file,
      ContainerIndex index,
      HolderInputs holders,
      ChunkDecoder decoder) {
    this.input = input;
    this.file = file;
    this.index = index;
    this.holders = holders;
    this.decoder = decoder;
  }

  /**
   * Opens a container.
   *
   * @param expected the manifest's entry for the container
   * @throws FormatException if the container is truncated, damaged, of another checkpoint, or not
   *     the one that the manifest names; with file, offset and reason
   * @throws java.nio.file.NoSuchFileException if it does not exist
   */
  public static ContainerReader open(
      ReadableStore store, CheckpointId id, ContainerSummary expected) throws IOException {
    return open(store, id, expected, new ChunkDecoder());
  }

  /**
   * Like the other method, with a decoder that readers of one thread share. Each of them closes it.
   */
  static ContainerReader open(
      ReadableStore store, CheckpointId id, ContainerSummary expected, ChunkDecoder decoder)
      throws IOException {
    String path = StoreNames.file(id, expected.file());
    String file = store.describe() + "/" + path;
    try (OpenParts open = new OpenParts()) {
      StoreInput input = open.add(store.open(path));
      requireLength(input, file, expected.bytes());
      ContainerVersion version = readHeader(input, file, id).version();
      ContainerTrailer trailer = readTrailer(input, file);
      ContainerIndex index = readIndex(input, file, version, trailer, expected);
      HolderInputs holders = new HolderInputs(store, id.group(), expected.holders());
      return open.keep(new ContainerReader(input, file, index, holders, decoder));
    }
  }

  static void requireLength(StoreInput input, String file, long expected) throws IOException {
    long bytes = input.length();
    if (bytes != expected) {
      throw new FormatException(
          file,
          Math.min(bytes, expected),
          "is " + bytes + " bytes long, its manifest says " + expected);
    }
  }

  /** The header of a container that must be of this checkpoint. */
  static ContainerHeader readHeader(StoreInput input, String file, CheckpointId id)
      throws IOException {
    if (input.length() < ContainerHeader.BYTES + ContainerTrailer.BYTES) {
      throw new FormatException(file, input.length(), "is too short for a container");
    }
    ContainerHeader header = ContainerHeader.decode(read(input, 0, ContainerHeader.BYTES), file);
    if (!header.id().equals(id)) {
      throw new FormatException(file, 0, "holds " + header.id() + ", not " + id);
    }
    return header;
  }

  /** The trailer of a container whose header was read. */
  static ContainerTrailer readTrailer(StoreInput input, String file) throws IOException {
    long bytes = input.length();
    return ContainerTrailer.decode(
        read(input, bytes - ContainerTrailer.BYTES, ContainerTrailer.BYTES), file, bytes);
  }

  private static ContainerIndex readIndex(
      StoreInput input,
      String file,
      ContainerVersion version,
      ContainerTrailer trailer,
      ContainerSummary expected)
      throws IOException {
    long at = trailer.indexOffset();
    requireDigest(trailer, file, expected.indexDigest());
    ContainerIndex index = readIndex(input, file, version, trailer);
    Set<Integer> ranks = index.ranks().keySet();
    if (!List.copyOf(ranks).equals(expected.ranks())) {
      throw new FormatException(
          file, at, "holds ranks " + ranks + ", its manifest says " + expected.ranks());
    }
    if (index.holders() != expected.holders().size()) {
      int listed = expected.holders().size();
      throw new FormatException(
          file, at, "leans on " + index.holders() + " holders, its manifest lists " + listed);
    }
    return index;
  }

  static void requireDigest(ContainerTrailer trailer, String file, Digest expected)
      throws FormatException {
    if (!trailer.indexDigest().equals(expected)) {
      throw new FormatException(
          file,
          trailer.indexOffset(),
          "index has SHA-256 " + trailer.indexDigest() + ", its manifest says " + expected);
    }
  }

  /** The index that the trailer describes. */
  static ContainerIndex readIndex(
      StoreInput input, String file, ContainerVersion version, ContainerTrailer trailer)
      throws IOException {
    long at = trailer.indexOffset();
    ByteBuffer bytes = read(input, at, trailer.indexBytes());
    if (!Digest.of(bytes.duplicate()).equals(trailer.indexDigest())) {
      throw new FormatException(file, at, "index is damaged: its SHA-256 is not the trailer's");
    }
    return ContainerIndex.decode(bytes, file, at, version);
  }

  private static ByteBuffer read(StoreInput input, long at, int bytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(bytes);
    input.readFully(at, into);
    return into.flip();
  }

  /**
   * A rank's regions, in the order of writing.
   *
   * @throws IllegalArgumentException if the container does not hold the rank
   */
  public List<RegionImage> images(int rank) {
    return of(rank).images();
  }

  /**
   * Chunks of a rank in a container.
   *
   * @param chunks their number
   * @param bytes of them as captured, however they are stored
   */
  public record Held(long chunks, long bytes) {}

  /**
   * Whether this container, or one that it leans on, holds the chunk, and not another container of
   * the same rank.
   */
  public boolean holds(int rank, int region, int chunk) {
    return of(rank).holds(region, chunk);
  }

  /** The hash of a chunk, if its writer computed one. */
  Optional<ContentHash> hash(int rank, int region, int chunk) {
    return of(rank).hash(region, chunk);
  }

  /** Reads a rank's chunks; not thread-safe, and only until this reader is closed. */
  public ChunkReader chunks(int rank) {
    ContainerIndex.RankIndex of = of(rank);
    return (region, chunk, into) -> {
      if (!of.holds(region, chunk)) {
        RegionImage image = of.images().get(region);
        throw new IOException(
            file + " does not hold chunk " + chunk + " of region " + image.name());
      }
      int limit = into.limit();
      into.limit(into.position() + of.images().get(region).chunkLength(chunk));
      try {
        read(of, region, chunk, into);
      } finally {
        into.limit(limit);
      }
    };
  }

  /** Fills the space of {@code into} with a chunk. */
  private void read(ContainerIndex.RankIndex of, int region, int chunk, ByteBuffer into)
      throws IOException {
    StoredChunks stored = of.stored().get(region);
    StoreInput from = holding(stored, chunk);
    if (stored.isRaw(chunk)) {
      from.readFully(stored.offset(chunk), into);
      return;
    }
    ByteBuffer bytes = decoder.stored(stored.bytes(chunk));
    from.readFully(stored.offset(chunk), bytes);
    // a decoder gets no byte that was not written
    int found = checksum.before(bytes, 0);
    if (found != stored.checksum(chunk)) {
      String what =
          "stored bytes of "
              + mismatch(of.images().get(region), chunk, found, stored.checksum(chunk));
      throw new FormatException(fileOf(stored, chunk), stored.offset(chunk), what);
    }
    try {
      decoder.decode(stored.encoding(chunk), bytes.flip(), into);
    } catch (DataFormatException e) {
      String name = of.images().get(region).name();
      throw new FormatException(
          fileOf(stored, chunk),
          stored.offset(chunk),
          "region " + name + ", chunk " + chunk + ": " + e.getMessage());
    }
  }

  /** The file with the bytes of a chunk. */
  private StoreInput holding(StoredChunks stored, int chunk) throws IOException {
    int holder = stored.holder(chunk);
    if (holder == Base.ITSELF) {
      return input;
    }
    if (stored.offset(chunk) > holders.end(holder) - stored.bytes(chunk)) {
      throw new FormatException(
          holders.file(holder), stored.offset(chunk), "ends before chunk " + chunk + " of " + file);
    }
    return holders.of(holder);
  }

  private String fileOf(StoredChunks stored, int chunk) {
    int holder = stored.holder(chunk);
    return holder == Base.ITSELF ? file : holders.file(holder);
  }

  /**
   * Reads all chunks of a rank in this container and compares their checksums.
   *
   * @param staging at least as long as the longest chunk; overwritten
   * @return the rank's chunks in this container
   * @throws FormatException if a checksum differs; with file, offset, region, chunk and checksums
   */
  public Held verify(int rank, ByteBuffer staging) throws IOException {
    ContainerIndex.RankIndex of = of(rank);
    long held = 0;
    long bytes = 0;
    ChunkReader chunks = chunks(rank);
    for (int region = 0; region < of.images().size(); region++) {
      RegionImage image = of.images().get(region);
      for (int k = 0; k < image.chunks(); k++) {
        if (!of.holds(region, k)) {
          continue;
        }
        chunks.read(region, k, staging.clear());
        int found = checksum.before(staging, 0);
        if (found != image.checksum(k)) {
          StoredChunks stored = of.stored().get(region);
          throw new FormatException(
              fileOf(stored, k),
              stored.offset(k),
              "rank " + rank + ", " + mismatch(image, k, found));
        }
        held++;
        bytes += image.chunkLength(k);
      }
    }
    return new Held(held, bytes);
  }

  /** The description of a chunk whose checksum differs. */
  public static String mismatch(RegionImage image, int chunk, int found) {
    return mismatch(image, chunk, found, image.checksum(chunk));
  }

  private static String mismatch(RegionImage image, int chunk, int found, int expected) {
    return "region "
        + image.name()
        + ", chunk "
        + chunk
        + " of "
        + image.chunks()
        + " has CRC32C "
        + ChunkChecksum.show(found)
        + ", its index says "
        + ChunkChecksum.show(expected);
  }

  private ContainerIndex.RankIndex of(int rank) {
    ContainerIndex.RankIndex of = index.ranks().get(rank);
    if (of == null) {
      throw new IllegalArgumentException(
          file + " holds ranks " + new ArrayList<>(index.ranks().keySet()) + ", not " + rank);
    }
    return of;
  }

  @Override
  public void close() throws IOException {
    decoder.close();
    try (input) {
      holders.close();
    }
  }
}
