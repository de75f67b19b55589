package io.cairn.flush.format;

import io.cairn.Digest;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * The trailer of a container, which locates the index. Big-endian.
 *
 * <pre>
 *        0               4               8              12
 *       +---------------+---------------+---------------+---------------+
 *    0  |  magic "CAIRNEND"             |  offset of the index          |
 *       +---------------+---------------+---------------+---------------+
 *   16  |  index bytes  |  0            |                               |
 *       +---------------+---------------+                               |
 *   24  |  SHA-256 of the index, 32 bytes                               |
 *       +---------------+---------------+---------------+---------------+
 *   56  |  0            |  CRC32C       |
 *       +---------------+---------------+
 * </pre>
 *
 * @param indexOffset offset of the index in the file
 * @param indexBytes length of the index; the trailer follows it
 * @param indexDigest digest of the index
 */
record ContainerTrailer(long indexOffset, int indexBytes, Digest indexDigest) {
  /** Length of the trailer. */
  static final int BYTES = 64;

  private static final long MAGIC = 0x434149524e454e44L; // CAIRNEND
  private static final int AT_INDEX_OFFSET = 8;
  private static final int AT_INDEX_BYTES = 16;
  private static final int AT_DIGEST = 24;
  private static final int AT_CHECKSUM = 60;

  /** Encodes the trailer. */
  ByteBuffer encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.putLong(0, MAGIC).putLong(AT_INDEX_OFFSET, indexOffset).putInt(AT_INDEX_BYTES, indexBytes);
    out.put(AT_DIGEST, indexDigest.toBytes());
    return out.putInt(AT_CHECKSUM, checksum(out));
  }

  /**
   * Decodes the trailer at index 0 of {@code in}.
   *
   * @param fileBytes length of the file
   * @throws FormatException if the trailer is damaged or does not fit the file
   */
  static ContainerTrailer decode(ByteBuffer in, String file, long fileBytes)
      throws FormatException {
    long at = fileBytes - BYTES;
    if (in.getLong(0) != MAGIC) {
      throw new FormatException(
          file, at, "does not end with the trailer of a container: truncated?");
    }
    if (in.getInt(AT_CHECKSUM) != checksum(in)) {
      throw new FormatException(
          file, at + AT_CHECKSUM, "trailer is damaged: its CRC32C does not match");
    }
    long offset = in.getLong(AT_INDEX_OFFSET);
    int bytes = in.getInt(AT_INDEX_BYTES);
    if (bytes < 0
        || bytes > ContainerIndex.MAX_BYTES
        || offset < ContainerHeader.BYTES
        || offset != at - bytes) {
      throw new FormatException(
          file,
          at + AT_INDEX_OFFSET,
          "an index of " + bytes + " bytes at offset " + offset + " does not end at the trailer");
    }
    byte[] digest = new byte[Digest.BYTES];
    in.get(AT_DIGEST, digest);
    return new ContainerTrailer(offset, bytes, new Digest(HexFormat.of().formatHex(digest)));
  }

  private static int checksum(ByteBuffer trailer) {
    return new ChunkChecksum().before(trailer.duplicate().clear().position(AT_CHECKSUM), 0);
  }
}
