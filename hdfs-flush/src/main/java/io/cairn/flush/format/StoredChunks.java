package io.cairn.flush.format;

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
 *           |  CRC32C       | enc.  | 0     |  0                            |
 *           +---------------+-------+-------+-------------------------------+
 *           |  0                            |
 *           +-------------------------------+
 * </pre>
 *
 * A chunk that lies elsewhere has offset 0, and no stored bytes.
 */
final class StoredChunks {
  /** The offset of a chunk that lies in another container of the same rank. */
  static final long ELSEWHERE = 0;

  private final ContainerVersion version;
  private final long[] offsets;
  private final int[] lengths;
  private final int[] checksums;
  private final byte[] encodings;

  /** Takes so many entries. */
  StoredChunks(ContainerVersion version, int chunks) {
    this.version = version;
    this.offsets = new long[chunks];
    this.lengths = new int[chunks];
    this.checksums = new int[chunks];
    this.encodings = new byte[chunks];
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
      ByteBuffer out, long offset, int bytes, int stored, int checksum, Encoding encoding) {
    out.putLong(offset).putInt(bytes).putInt(stored).putInt(checksum);
    out.putShort((short) encoding.number()).putShort((short) 0).putLong(0).putLong(0);
  }

  /**
   * Reads the entry of chunk {@code k}.
   *
   * @param length of the chunk
   * @param end offset at which the chunks of the file end
   * @return CRC32C of the chunk
   * @throws IllegalArgumentException if the entry cannot be; the message says why
   */
  int read(ByteBuffer in, int k, int length, long end) {
    offsets[k] = in.getLong();
    int checksum =
        version == ContainerVersion.PLAIN ? plain(in, k, length) : encoded(in, k, length);
    boolean inside = offsets[k] >= ContainerHeader.BYTES && offsets[k] <= end - lengths[k];
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
    require(in.getShort() == 0, k, "lies in another checkpoint, which this program does not read");
    in.position(in.position() + 2 * Long.BYTES);
    Optional<Encoding> encoding = Encoding.of(number);
    require(
        encoding.isPresent(), k, "has encoding " + number + ", which this program does not read");
    encodings[k] = (byte) number;
    if (offsets[k] == ELSEWHERE) {
      require(lengths[k] == 0 && number == 0, k, "lies elsewhere, with stored bytes");
    } else if (isRaw(k)) {
      require(
          lengths[k] == length && checksums[k] == checksum, k, "is raw and differs from itself");
    } else {
      require(lengths[k] > 0 && lengths[k] < length, k, "is stored in " + lengths[k] + " bytes");
    }
    return checksum;
  }

  private static void require(boolean holds, int k, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException("chunk " + k + " " + otherwise);
    }
  }

  /** Whether chunk {@code k} lies in this container. */
  boolean holds(int k) {
    return offsets[k] != ELSEWHERE;
  }

  /** The offset of chunk {@code k} in the file. */
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
