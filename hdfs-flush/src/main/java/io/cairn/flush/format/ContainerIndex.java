package io.cairn.flush.format;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.ContentHash;
import io.cairn.core.model.RegionImage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The index of a container: its ranks, regions and chunks with their offsets. Big-endian, packed.
 *
 * <pre>
 *   index   +-------------------------------+---------------+---------------+
 *           |  magic "CAIRNIDX"             |  ranks        |  holders      |
 *           +-------------------------------+---------------+---------------+
 *   then for each rank, rising
 *           +---------------+---------------+
 *           |  rank         |  regions      |
 *           +---------------+---------------+
 *     then for each region
 *           +---------------+---------------+-------------------------------+
 *           |  name length  |  chunk bytes  |  region bytes                 |
 *           +---------------+---------------+-------------------------------+
 *           |  chunks       |  name, ASCII, without padding ...             |
 *           +---------------+-----------------------------------------------+
 *       then for each chunk
 *           its entry, see {@link StoredChunks}
 * </pre>
 *
 * @param ranks the regions of each rank
 * @param holders the number of older containers that have some of the chunks
 */
record ContainerIndex(SortedMap<Integer, RankIndex> ranks, int holders) {
  /** Maximum length of an index; longer ones are neither written nor read. */
  static final int MAX_BYTES = 64 << 20;

  /** Maximum length of a chunk, which must fit into a buffer. */
  static final int MAX_CHUNK_BYTES = 256 << 20;

  static final long MAGIC = 0x434149524e494458L; // CAIRNIDX
  private static final int HEAD_BYTES = 16;
  private static final int AT_HOLDERS = 12;
  private static final int RANK_BYTES = 8;
  private static final int REGION_BYTES = 20;
  private static final int MAX_NAME_BYTES = 128;

  /**
   * One rank's regions.
   *
   * @param images shapes and checksums
   * @param stored their chunks, per region
   */
  record RankIndex(List<RegionImage> images, List<StoredChunks> stored) {
    boolean holds(int region, int chunk) {
      return stored.get(region).holds(chunk);
    }

    Optional<ContentHash> hash(int region, int chunk) {
      return stored.get(region).hash(chunk);
    }
  }

  /** Length of an index over these ranks. */
  static long bytes(List<RankChunks> ranks, ContainerVersion version) {
    long bytes = HEAD_BYTES;
    for (RankChunks rank : ranks) {
      bytes += RANK_BYTES;
      for (RegionImage image : rank.images()) {
        long chunks = (long) version.chunkBytes() * image.chunks();
        bytes += REGION_BYTES + image.name().length() + chunks;
      }
    }
    return bytes;
  }

  static void putHead(ByteBuffer out, int ranks) {
    out.putLong(MAGIC).putInt(ranks).putInt(0);
  }

  /** Enters how many holders the list has, after the index was written. */
  static void putHolders(ByteBuffer out, int holders) {
    out.putInt(AT_HOLDERS, holders);
  }

  static void putRank(ByteBuffer out, int rank, int regions) {
    out.putInt(rank).putInt(regions);
  }

  static void putRegion(ByteBuffer out, RegionImage image) {
    byte[] name = image.name().getBytes(StandardCharsets.US_ASCII);
    out.putInt(name.length).putInt(image.chunkBytes()).putLong(image.bytes());
    out.putInt(image.chunks()).put(name);
  }

  /**
   * Decodes an index from the remaining bytes.
   *
   * @param at offset of the index in the file; all chunks lie before it
   * @throws FormatException if the bytes are no index, or an inconsistent one
   */
  static ContainerIndex decode(ByteBuffer in, String file, long at, ContainerVersion version)
      throws FormatException {
    return new Decoder(in, file, at, version).index();
  }

  /** Reads an index front to back and never beyond its end. */
  private static final class Decoder {
    private final ByteBuffer in;
    private final String file;
    private final long at;
    private final ContainerVersion version;
    private int holders;

    Decoder(ByteBuffer in, String file, long at, ContainerVersion version) {
      this.in = in;
      this.file = file;
      this.at = at;
      this.version = version;
    }

    ContainerIndex index() throws FormatException {
      need(HEAD_BYTES, 1, "index");
      check(in.getLong() == MAGIC, "does not begin with the magic of an index");
      int count = in.getInt();
      holders = in.getInt();
      boolean legal = version == ContainerVersion.PLAIN ? holders == 0 : holders >= 0;
      check(legal && holders <= ContainerSummary.MAX_HOLDERS, "a list of " + holders + " holders");
      need(RANK_BYTES, count, "ranks");
      SortedMap<Integer, RankIndex> ranks = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        need(RANK_BYTES, 1, "rank");
        int rank = in.getInt();
        check(rank >= 0 && (ranks.isEmpty() || rank > ranks.lastKey()), "ranks do not rise");
        ranks.put(rank, rank(in.getInt()));
      }
      check(!in.hasRemaining(), in.remaining() + " bytes after the last rank");
      return new ContainerIndex(ranks, holders);
    }

    private RankIndex rank(int regions) throws FormatException {
      need(REGION_BYTES, regions, "regions");
      List<RegionImage> images = new ArrayList<>(regions);
      List<StoredChunks> stored = new ArrayList<>(regions);
      Set<String> names = new HashSet<>();
      for (int i = 0; i < regions; i++) {
        region(images, stored);
        String name = images.get(i).name();
        check(names.add(name), "region " + name + " is listed twice");
      }
      return new RankIndex(List.copyOf(images), List.copyOf(stored));
    }

    private void region(List<RegionImage> images, List<StoredChunks> stored)
        throws FormatException {
      need(REGION_BYTES, 1, "region");
      int nameBytes = in.getInt();
      int chunkBytes = in.getInt();
      long bytes = in.getLong();
      int chunks = in.getInt();
      check(nameBytes >= 0 && nameBytes <= MAX_NAME_BYTES, "a name of " + nameBytes + " bytes");
      check(chunkBytes > 0 && chunkBytes <= MAX_CHUNK_BYTES, "chunks of " + chunkBytes + " bytes");
      long fit = (long) in.remaining() / version.chunkBytes() * chunkBytes;
      check(bytes >= 0 && bytes <= fit, "a region of " + bytes + " bytes");
      check(chunks == RegionImage.chunks(bytes, chunkBytes), "a region of " + chunks + " chunks");
      need(nameBytes, 1, "name");
      byte[] name = new byte[nameBytes];
      in.get(name);
      need(version.chunkBytes(), chunks, "chunks");
      try {
        StoredChunks places = new StoredChunks(version, chunks);
        int[] checksums = new int[chunks];
        for (int k = 0; k < chunks; k++) {
          int length = (int) Math.min(chunkBytes, bytes - (long) k * chunkBytes);
          checksums[k] = places.read(in, k, length, at, holders);
        }
        String text = new String(name, StandardCharsets.US_ASCII);
        images.add(new RegionImage(text, bytes, chunkBytes, checksums));
        stored.add(places);
      } catch (IllegalArgumentException e) {
        throw wrong(String.valueOf(e.getMessage()));
      }
    }

    private void need(int bytesEach, int count, String what) throws FormatException {
      check(
          count >= 0 && (long) bytesEach * count <= in.remaining(),
          count + " " + what + " do not fit into the rest of the index");
    }

    private void check(boolean holds, String otherwise) throws FormatException {
      if (!holds) {
        throw wrong(otherwise);
      }
    }

    private FormatException wrong(String reason) {
      return new FormatException(file, at + in.position(), reason);
    }
  }
}
