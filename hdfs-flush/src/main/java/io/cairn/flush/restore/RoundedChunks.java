package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContentHash;
import io.cairn.core.model.HeldBytes;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.OpenParts;
import io.cairn.core.model.RegionEntries;
import io.cairn.core.model.RegionImage;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.codec.BitRounding;
import io.cairn.flush.format.ChunkChecksum;
import io.cairn.flush.format.ContainerReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads an exact copy, and rounds the chunks of regions that accept an error. Not thread-safe.
 *
 * <p>Every reader of a captured checkpoint reads it through this: the writers of the levels below,
 * and a restore. So all levels hold, and every restore gives, the same bytes with the same
 * checksums.
 */
public final class RoundedChunks implements ChunkReader {
  private final ChunkReader exact;

  /** By the number of a region; null where it stays exact. */
  private final @Nullable BitRounding[] roundings;

  private RoundedChunks(ChunkReader exact, @Nullable BitRounding[] roundings) {
    this.exact = exact;
    this.roundings = roundings;
  }

  /**
   * The copy as the levels below DEVICE hold it. Reads every chunk of a lossy region once, verifies
   * it, and computes the checksum of the rounded bytes.
   *
   * @param copy as captured; closed by this method if it fails, and otherwise with the result
   * @param staging lossy chunks pass through it, within this method
   * @return the same copy if none of its regions is lossy
   * @throws IOException if a chunk cannot be read or is damaged, or an entry of the program has
   *     another form than this version writes
   */
  public static Copy of(Copy copy, StagingBuffer staging) throws IOException {
    try {
      @Nullable BitRounding[] roundings = roundings(copy);
      if (roundings.length == 0) {
        return copy;
      }
      return new Copy(
          copy.describe(),
          rounded(copy, roundings, staging.forChunksOf(copy.images())),
          copy.program(),
          new RoundedChunks(copy.reader(), roundings),
          copy.resource());
    } catch (IOException | RuntimeException e) {
      OpenParts.closeAfter(copy, e);
      throw e;
    }
  }

  /** Empty if no region is rounded. */
  private static @Nullable BitRounding[] roundings(Copy copy) throws IOException {
    Map<String, RegionEntries.Lossy> lossy;
    try {
      lossy = RegionEntries.lossy(copy.program());
    } catch (IllegalArgumentException e) {
      throw new IOException(copy.describe() + ": " + e.getMessage(), e);
    }
    @Nullable BitRounding[] roundings = new BitRounding[lossy.isEmpty() ? 0 : copy.images().size()];
    for (int region = 0; region < roundings.length; region++) {
      RegionEntries.Lossy one = lossy.get(copy.images().get(region).name());
      roundings[region] = one == null ? null : BitRounding.of(one.doubles(), one.bound());
    }
    return roundings;
  }

  private static List<RegionImage> rounded(
      Copy copy, @Nullable BitRounding[] roundings, ByteBuffer staging) throws IOException {
    ChunkChecksum checksum = new ChunkChecksum();
    List<RegionImage> images = new ArrayList<>(copy.images());
    for (int region = 0; region < roundings.length; region++) {
      BitRounding rounding = roundings[region];
      if (rounding == null) {
        continue;
      }
      RegionImage image = images.get(region);
      int[] checksums = new int[image.chunks()];
      for (int chunk = 0; chunk < checksums.length; chunk++) {
        copy.reader().read(region, chunk, staging.clear());
        int found = checksum.before(staging, 0);
        if (found != image.checksum(chunk) || staging.position() != image.chunkLength(chunk)) {
          throw new IOException(
              copy.describe() + ": " + ContainerReader.mismatch(image, chunk, found));
        }
        rounding.round(staging, 0, staging.position());
        checksums[chunk] = checksum.before(staging, 0);
      }
      images.set(
          region, new RegionImage(image.name(), image.bytes(), image.chunkBytes(), checksums));
    }
    return images;
  }

  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    int from = into.position();
    exact.read(region, chunk, into);
    round(region, into, from);
  }

  private void round(int region, ByteBuffer into, int from) {
    BitRounding rounding = roundings[region];
    if (rounding != null) {
      rounding.round(into, from, into.position());
    }
  }

  @Override
  public Reading start(int region, int chunk, ByteBuffer into) throws IOException {
    int from = into.position();
    Reading reading = exact.start(region, chunk, into);
    return roundings[region] == null ? reading : new Rounding(reading, region, into, from);
  }

  /** Rounds when the exact bytes have arrived. */
  private final class Rounding implements Reading {
    private final Reading arriving;
    private final int region;
    private final ByteBuffer into;
    private final int from;
    private boolean rounded;

    Rounding(Reading arriving, int region, ByteBuffer into, int from) {
      this.arriving = arriving;
      this.region = region;
      this.into = into;
      this.from = from;
    }

    @Override
    public boolean isDone() {
      return arriving.isDone();
    }

    @Override
    public void await() throws IOException {
      arriving.await();
      if (!rounded) {
        rounded = true;
        round(region, into, from);
      }
    }
  }

  @Override
  public Optional<MappedBytes> staging(int bytes) {
    return exact.staging(bytes);
  }

  @Override
  public boolean verifies() {
    return exact.verifies();
  }

  /** Memory of DEVICE holds the exact bytes, and keeps them. */
  @Override
  public Optional<MappedBytes> inPlace(int region, int chunk) throws IOException {
    return roundings[region] == null ? exact.inPlace(region, chunk) : Optional.empty();
  }

  @Override
  public Optional<? extends HeldBytes> held(int region, int chunk) throws IOException {
    return roundings[region] == null ? exact.held(region, chunk) : Optional.empty();
  }

  @Override
  public Optional<ContentHash> hash(int region, int chunk) {
    return roundings[region] == null ? exact.hash(region, chunk) : Optional.empty();
  }

  /** A rounded chunk is compared by its hash: the older one may have had another bound. */
  @Override
  public boolean equalsOlder(CheckpointId older, int region, int chunk) throws IOException {
    return roundings[region] == null && exact.equalsOlder(older, region, chunk);
  }
}
