package io.cairn.flush.format;

import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader.Reading;
import io.cairn.core.model.ContentHash;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.codec.ChunkEncoder;
import io.cairn.flush.codec.Encoding;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Locale;
import java.util.Optional;

/**
 * Copies one rank's chunks to a container, and their entries to its index. Each chunk is verified
 * before it is written. Not thread-safe.
 */
final class RankCopy implements ReadAhead.Start {
  private final RankChunks rank;
  private final ChunkNumbers numbers;
  private final StoreOutput out;
  private final ByteBuffer index;
  private final String path;
  private final ChunkChecksum checksum;
  private final Optional<ChunkEncoder> encoder;
  private final References references;
  private final ContainerVersion version;

  /** Whether every chunk is hashed: not while bytes can be compared, which costs less. */
  private final boolean hashesAll;

  private int entered; // regions whose head is in the index

  /**
   * The chunks that are known to be as in the base; the answer must not change between two uses.
   */
  private final BitSet unchanged = new BitSet();

  private final BitSet asked = new BitSet();

  RankCopy(
      RankChunks rank,
      StoreOutput out,
      ByteBuffer index,
      String path,
      ChunkChecksum checksum,
      Optional<ChunkEncoder> encoder,
      References references,
      ContainerVersion version) {
    this.rank = rank;
    this.numbers = new ChunkNumbers(rank.images());
    this.out = out;
    this.index = index;
    this.path = path;
    this.checksum = checksum;
    this.encoder = encoder;
    this.references = references;
    this.version = version;
    this.hashesAll =
        references.serve() && references.base().filter(rank.source()::hasOlder).isEmpty();
  }

  void copy(ReadAhead ahead) throws IOException {
    ContainerIndex.putRank(index, rank.rank(), rank.images().size());
    ahead.forEach(numbers.all(), this, this::write);
    enterRegions(rank.images().size());
  }

  @Override
  public Reading start(int number, ByteBuffer into) throws IOException {
    int region = numbers.region(number);
    int chunk = number - numbers.of(region, 0);
    return rank.part().holds(region, chunk) && !isKnownUnchanged(number, region, chunk)
        ? rank.source().start(region, chunk, into)
        : Reading.DONE;
  }

  @Override
  public Optional<MappedBytes> staging(int bytes) {
    return rank.source().staging(bytes);
  }

  @Override
  public Optional<MappedBytes> inPlace(int number) throws IOException {
    int region = numbers.region(number);
    int chunk = number - numbers.of(region, 0);
    return rank.part().holds(region, chunk) && !isKnownUnchanged(number, region, chunk)
        ? rank.source().inPlace(region, chunk)
        : Optional.empty();
  }

  /** Whether the source shows, by a hash or a comparison, that the chunk is as in the base. */
  private boolean isKnownUnchanged(int number, int region, int chunk) throws IOException {
    if (!asked.get(number)) {
      asked.set(number);
      unchanged.set(number, isUnchanged(region, chunk));
    }
    return unchanged.get(number);
  }

  private boolean isUnchanged(int region, int chunk) throws IOException {
    if (!references.mayLeaveOut(region, chunk)) {
      return false;
    }
    Optional<ContentHash> before = references.hashInBase(region, chunk);
    Optional<ContentHash> now = rank.source().hash(region, chunk);
    boolean known = before.isPresent() && now.isPresent();
    return known
        ? now.equals(before)
        : rank.source().equalsOlder(references.base().orElseThrow(), region, chunk);
  }

  private void write(int number, Reading reading, ByteBuffer staged) throws IOException {
    int region = numbers.region(number);
    int chunk = number - numbers.of(region, 0);
    enterRegions(region + 1);
    int expected = rank.images().get(region).checksum(chunk);
    if (!rank.part().holds(region, chunk)) {
      putElsewhere(expected);
    } else if (isKnownUnchanged(number, region, chunk)) {
      references.put(index, region, chunk);
    } else {
      reading.await();
      arrived(region, chunk, staged);
    }
  }

  private void putElsewhere(int expected) {
    if (version == ContainerVersion.PLAIN) {
      StoredChunks.putPlain(index, StoredChunks.ELSEWHERE, expected);
    } else {
      StoredChunks.putEncoded(
          index, StoredChunks.ELSEWHERE, 0, 0, expected, Encoding.RAW, StoredChunks.UNKNOWN);
    }
  }

  /**
   * Stores a chunk, unless it is as it was in the base. The hash then verifies it, too: the base's
   * chunk has that hash, and the checksum that was captured. One that seems unchanged could not be
   * compared, so it is hashed in any case.
   */
  private void arrived(int region, int chunk, ByteBuffer staged) throws IOException {
    boolean hashed = hashesAll || references.mayLeaveOut(region, chunk);
    ContentHash hash = hashed ? ContentHasher.before(staged) : StoredChunks.UNKNOWN;
    RegionImage image = rank.images().get(region);
    boolean whole = staged.position() == image.chunkLength(chunk);
    if (whole && references.hashInBase(region, chunk).filter(hash::equals).isPresent()) {
      references.put(index, region, chunk);
      return;
    }
    verify(image, chunk, staged);
    store(region, image.checksum(chunk), hash, staged.flip());
  }

  private void store(int region, int expected, ContentHash hash, ByteBuffer chunk)
      throws IOException {
    if (version == ContainerVersion.PLAIN) {
      StoredChunks.putPlain(index, out.position(), expected);
      out.write(chunk);
      return;
    }
    Encoding encoding = encoder.isPresent() ? encoder.get().encode(region, chunk) : Encoding.RAW;
    if (encoding == Encoding.RAW) {
      StoredChunks.putEncoded(
          index, out.position(), chunk.remaining(), expected, expected, Encoding.RAW, hash);
      out.write(chunk);
    } else {
      ByteBuffer encoded = encoder.orElseThrow().encoded();
      int stored = checksum.before(encoded.position(encoded.limit()), 0);
      encoded.flip();
      StoredChunks.putEncoded(
          index, out.position(), encoded.remaining(), stored, expected, encoding, hash);
      out.write(encoded);
    }
  }

  /** Enters the heads of the regions up to this one, those without chunks included. */
  private void enterRegions(int end) {
    for (; entered < end; entered++) {
      ContainerIndex.putRegion(index, rank.images().get(entered));
    }
  }

  private void verify(RegionImage image, int chunk, ByteBuffer staged) throws IOException {
    int found = checksum.before(staged, 0);
    if (staged.position() != image.chunkLength(chunk) || found != image.checksum(chunk)) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s not written: rank %d, region %s, chunk %d of %d arrived as %d bytes with CRC32C"
                  + " %s; captured were %d bytes with %s",
              path,
              rank.rank(),
              image.name(),
              chunk,
              image.chunks(),
              staged.position(),
              ChunkChecksum.show(found),
              image.chunkLength(chunk),
              ChunkChecksum.show(image.checksum(chunk))));
    }
  }
}
