package io.cairn.flush.format;

import io.cairn.core.model.ContentHash;
import io.cairn.flush.codec.Encoding;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The chunks of one region as a container stores them: the end of a region's entry in an index.
 * Big-endian, packed. In version 1 all chunks are raw:
 *
 * <pre>
 *           +-------------------------------+---------------+
 *           |  offset in the file           |  CRC32C       |
 *           +-------------------------------+---------------+
 * </pre>
 *
 * In version 2:
 *
 * <pre>
 *           +-------------------------------+---------------+---------------+
 *           |  offset in the file           |  stored bytes |  their CRC32C |
 *           +---------------+-------+-------+---------------+---------------+
 *           |  CRC32C       | enc.  | holder|  hash of the chunk            |
 *           +---------------+-------+-------+-------------------------------+
 *           |  its rest                     |
 *           +-------------------------------+
 * </pre>
 *
 * A chunk that lies elsewhere has offset 0, and no stored bytes. A holder above 0 numbers the
 * container of an older checkpoint in whose file the stored bytes lie. A hash of 0 is unknown.
 */
final class StoredChunks {
  /** The offset of a chunk that lies in another container of the same rank. */
  static final long ELSEWHERE = 0;

  /** The hash of a chunk that nobody hashed. */
  static final ContentHash UNKNOWN = new ContentHash(0, 0);

  private static final short HERE = 0;

  private final ContainerVersion version;
  private final long[] offsets;
  private final int[] lengths;
  private final int[] checksums;
  private final byte[] encodings;
  private final short[] holders;

  /** Two numbers per chunk; none in version 1. */
  private final long[] hashes;

  /** Takes so many entries. */
  StoredChunks(ContainerVersion version, int chunks) {
    this.version = version;
    this.offsets = new long[chunks];
    this.lengths = new int[chunks];
    this.checksums = new int[chunks];
    this.encodings = new byte[chunks];
    this.holders = new short[chunks];
    this.hashes = new long[version == ContainerVersion.PLAIN ? 0 : 2 * chunks];
  }

  /** Appends an entry of version 1. */
  static void putPlain(ByteBuffer out, long offset, int checksum) {
    out.putLong(offset).putInt(checksum);
  }

  /**
   * Appends an entry of version 2.
   *
   * @param stored CRC32C of the stored bytes
   * @param checksum CRC32C of the chunk
   */
  static void putEncoded(
      ByteBuffer out,
      long offset,
      int bytes,
      int stored,
      int checksum,
      Encoding encoding,
      ContentHash hash) {
    out.putLong(offset).putInt(bytes).putInt(stored).putInt(checksum);
    out.putShort((short) encoding.number()).putShort(HERE);
    out.putLong(hash.high()).putLong(hash.low());
  }

  /**
   * Appends the entry of chunk {@code k} of this region to that of a newer container.
   *
   * @param holder number in that container's list
   */
  void putReference(ByteBuffer out, int k, int holder, int checksum) {
    out.putLong(offsets[k]).putInt(lengths[k]).putInt(checksums[k]).putInt(checksum);
    out.putShort(encodings[k]).putShort((short) holder);
    out.putLong(hashes[2 * k]).putLong(hashes[2 * k + 1]);
  }

  /**
   * Reads the entry of chunk {@code k}.
   *
   * @param length of the chunk
   * @param end offset at which the chunks of the file end
   * @param mostHolders length of the container's list of holders
   * @return CRC32C of the chunk
   * @throws IllegalArgumentException if the entry cannot be; the message says why
   */
  int read(ByteBuffer in, int k, int length, long end, int mostHolders) {
    offsets[k] = in.getLong();
    int checksum =
        version == ContainerVersion.PLAIN ? plain(in, k, length) : encoded(in, k, length);
    require(
        holders[k] >= HERE && holders[k] <= mostHolders,
        k,
        "lies in holder " + holders[k] + " of " + mostHolders);
    // the end of a holder's chunks is known when it is opened
    long last = holders[k] == HERE ? end - lengths[k] : Long.MAX_VALUE;
    boolean inside = offsets[k] >= ContainerHeader.BYTES && offsets[k] <= last;
    require(
        inside || offsets[k] == ELSEWHERE,
        k,
        "at offset " + offsets[k] + " lies outside the chunks");
    return checksum;
  }

  private int plain(ByteBuffer in, int k, int length) {
    lengths[k] = length;
    checksums[k] = in.getInt();
    return checksums[k];
  }

  private int encoded(ByteBuffer in, int k, int length) {
    lengths[k] = in.getInt();
    checksums[k] = in.getInt();
    int checksum = in.getInt();
    int number = in.getShort();
    holders[k] = in.getShort();
    hashes[2 * k] = in.getLong();
    hashes[2 * k + 1] = in.getLong();
    Optional<Encoding> encoding = Encoding.of(number);
    require(
        encoding.isPresent(), k, "has encoding " + number + ", which this program does not read");
    encodings[k] = (byte) number;
    if (offsets[k] == ELSEWHERE) {
      boolean nothing = lengths[k] == 0 && number == 0 && holders[k] == HERE;
      require(nothing, k, "lies elsewhere, with stored bytes");
    } else if (isRaw(k)) {
      require(
          lengths[k] == length && checksums[k] == checksum, k, "is raw and differs from itself");
    } else {
      require(lengths[k] > 0 && lengths[k] < length, k, "is stored in " + lengths[k] + " bytes");
    }
    return checksum;
  }

  /**
   * Takes the entries of those chunks that another part of the rank holds.
   *
   * @param numbers of the other part's holders in the list that counts from now on
   */
  void take(StoredChunks part, short[] numbers) {
    for (int k = 0; k < offsets.length; k++) {
      if (part.holds(k)) {
        offsets[k] = part.offsets[k];
        lengths[k] = part.lengths[k];
        checksums[k] = part.checksums[k];
        encodings[k] = part.encodings[k];
        holders[k] = numbers[part.holders[k]];
        hashes[2 * k] = part.hashes[2 * k];
        hashes[2 * k + 1] = part.hashes[2 * k + 1];
      }
    }
  }

  private static void require(boolean holds, int k, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException("chunk " + k + " " + otherwise);
    }
  }

  /** How many chunks the region has. */
  int count() {
    return offsets.length;
  }

  /** Whether this container, or an older one that it leans on, has chunk {@code k}. */
  boolean holds(int k) {
    return offsets[k] != ELSEWHERE;
  }

  /** The number of the older container that has chunk {@code k}; 0 if this one has it. */
  int holder(int k) {
    return holders[k];
  }

  /** The hash of chunk {@code k}, if it is known. */
  Optional<ContentHash> hash(int k) {
    ContentHash hash =
        hashes.length == 0 ? UNKNOWN : new ContentHash(hashes[2 * k], hashes[2 * k + 1]);
    return hash.equals(UNKNOWN) ? Optional.empty() : Optional.of(hash);
  }

  /** The offset of chunk {@code k} in the file that has it. */
  long offset(int k) {
    return offsets[k];
  }

  /** The stored length of chunk {@code k}. */
  int bytes(int k) {
    return lengths[k];
  }

  /** CRC32C of the stored bytes of chunk {@code k}. */
  int checksum(int k) {
    return checksums[k];
  }

  /** Whether the stored bytes are the chunk. */
  boolean isRaw(int k) {
    return encodings[k] == Encoding.RAW.number();
  }

  /** The form of chunk {@code k}. */
  Encoding encoding(int k) {
    return Encoding.of(encodings[k]).orElseThrow();
  }
}
