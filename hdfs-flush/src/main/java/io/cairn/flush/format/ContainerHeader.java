package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * The header of a container, which identifies the checkpoint. Big-endian.
 *
 * <pre>
 *        0               4               8              12
 *       +---------------+---------------+---------------+---------------+
 *    0  |  magic "CAIRNCHK"             |  version      |  header bytes |
 *       +---------------+---------------+---------------+---------------+
 *   16  |  epoch                        |  iteration                    |
 *       +---------------+---------------+---------------+---------------+
 *   32  |  boot id of the writing node, in the order of its text        |
 *       +---------------+---------------+---------------+---------------+
 *   48  |  group size   |  0            |  job length   |  group length |
 *       +---------------+---------------+---------------+---------------+
 *   64  |  job, ASCII, 128 bytes, filled up with 0                      |
 *       +---------------------------------------------------------------+
 *  192  |  group, ASCII, 128 bytes, filled up with 0                    |
 *       +---------------------------------------------------------------+
 *  320  |  0                                            +---------------+
 *       |                                         508:  |  CRC32C       |
 *       +-----------------------------------------------+---------------+
 * </pre>
 *
 * @param id the checkpoint
 * @param groupSize ranks in the group
 * @param bootId {@link BootId#UNKNOWN} where the writing system had none
 * @param version of the index
 */
record ContainerHeader(CheckpointId id, int groupSize, UUID bootId, ContainerVersion version) {
  /** Length of the header. */
  static final int BYTES = 512;

  private static final long MAGIC = 0x434149524e43484bL; // CAIRNCHK
  private static final int AT_VERSION = 8;
  private static final int AT_HEADER_BYTES = 12;
  private static final int AT_EPOCH = 16;
  private static final int AT_ITERATION = 24;
  private static final int AT_BOOT = 32;
  private static final int AT_SIZE = 48;
  private static final int AT_JOB_LENGTH = 56;
  private static final int AT_GROUP_LENGTH = 60;
  private static final int AT_JOB = 64;
  private static final int AT_GROUP = 192;
  private static final int NAME_BYTES = 128;
  private static final int AT_CHECKSUM = 508;

  /** Encodes the header. */
  ByteBuffer encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.putLong(0, MAGIC).putInt(AT_VERSION, version.number()).putInt(AT_HEADER_BYTES, BYTES);
    out.putLong(AT_EPOCH, id.epoch()).putLong(AT_ITERATION, id.iteration());
    out.putLong(AT_BOOT, bootId.getMostSignificantBits());
    out.putLong(AT_BOOT + Long.BYTES, bootId.getLeastSignificantBits());
    out.putInt(AT_SIZE, groupSize);
    putName(out, AT_JOB_LENGTH, AT_JOB, id.group().job());
    putName(out, AT_GROUP_LENGTH, AT_GROUP, id.group().group());
    return out.putInt(AT_CHECKSUM, checksum(out));
  }

  /**
   * Decodes the header at index 0 of {@code in}.
   *
   * @throws FormatException if the header is damaged or has another version
   */
  static ContainerHeader decode(ByteBuffer in, String file) throws FormatException {
    if (in.getLong(0) != MAGIC) {
      throw new FormatException(file, 0, "does not begin with the magic of a container");
    }
    if (in.getInt(AT_CHECKSUM) != checksum(in)) {
      throw new FormatException(file, AT_CHECKSUM, "header is damaged: its CRC32C does not match");
    }
    Optional<ContainerVersion> version = ContainerVersion.of(in.getInt(AT_VERSION));
    if (version.isEmpty() || in.getInt(AT_HEADER_BYTES) != BYTES) {
      throw new FormatException(
          file,
          AT_VERSION,
          "container version " + in.getInt(AT_VERSION) + "; this program reads 1 and 2");
    }
    try {
      GroupId group =
          new GroupId(
              name(in, AT_JOB_LENGTH, AT_JOB, file), name(in, AT_GROUP_LENGTH, AT_GROUP, file));
      return new ContainerHeader(
          new CheckpointId(group, in.getLong(AT_EPOCH), in.getLong(AT_ITERATION)),
          in.getInt(AT_SIZE),
          new UUID(in.getLong(AT_BOOT), in.getLong(AT_BOOT + Long.BYTES)),
          version.get());
    } catch (IllegalArgumentException e) {
      throw new FormatException(file, AT_EPOCH, "header: " + e.getMessage());
    }
  }

  private static void putName(ByteBuffer out, int atLength, int at, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    out.putInt(atLength, bytes.length).put(at, bytes);
  }

  private static String name(ByteBuffer in, int atLength, int at, String file)
      throws FormatException {
    int length = in.getInt(atLength);
    if (length < 0 || length > NAME_BYTES) {
      throw new FormatException(file, atLength, "a name of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.get(at, bytes);
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  private static int checksum(ByteBuffer header) {
    return new ChunkChecksum().before(header.duplicate().clear().position(AT_CHECKSUM), 0);
  }
}
