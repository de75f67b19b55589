package io.cairn.cache.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A handle to device memory that another process can open. Only a device of the same {@link #kind}
 * understands the payload. Immutable.
 *
 * <pre>
 * offset  bytes  field (big-endian)
 *      0      4  magic "CXM1"
 *      4      1  k: length of kind, 1 to 16
 *      5      k  kind: lower-case ASCII letters
 *    5+k      2  n: length of payload, 0 to 4096
 *    7+k      n  payload
 * </pre>
 */
public final class ExportedMemory {
  /** The longest payload, in bytes. */
  public static final int MAX_PAYLOAD_BYTES = 4096;

  private static final int MAGIC = 0x43584d31;
  private static final Pattern KIND = Pattern.compile("[a-z]{1,16}");

  private final String kind;
  private final byte[] payload;

  /**
   * A handle.
   *
   * @param kind of the device, 1 to 16 lower-case letters
   * @param payload at most {@value #MAX_PAYLOAD_BYTES} bytes; copied
   * @throws IllegalArgumentException if either breaks its rule
   */
  public ExportedMemory(String kind, byte[] payload) {
    if (!KIND.matcher(kind).matches() || payload.length > MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "exported memory of kind '" + kind + "' with a payload of " + payload.length + " bytes");
    }
    this.kind = kind;
    this.payload = payload.clone();
  }

  /** The kind of device that it belongs to. */
  public String kind() {
    return kind;
  }

  /** The device's payload, read-only. */
  public ByteBuffer payload() {
    return ByteBuffer.wrap(payload).asReadOnlyBuffer();
  }

  /** The handle as bytes. */
  public byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(7 + kind.length() + payload.length);
    out.putInt(MAGIC).put((byte) kind.length()).put(kind.getBytes(US_ASCII));
    out.putShort((short) payload.length).put(payload);
    return out.array();
  }

  /**
   * The inverse of {@link #encode}; takes all of {@code bytes}.
   *
   * @throws IOException naming the offset and the reason, if they are not a handle
   */
  public static ExportedMemory decode(byte[] bytes) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    require(in.remaining() >= 5 && in.getInt() == MAGIC, 0, "no magic");
    int kindLength = in.get();
    require(kindLength >= 1 && kindLength <= 16, 4, "kind of " + kindLength + " bytes");
    require(in.remaining() >= kindLength + 2, 5, "truncated");
    byte[] name = new byte[kindLength];
    in.get(name);
    String kind = new String(name, US_ASCII);
    require(KIND.matcher(kind).matches(), 5, "kind is not lower-case letters");
    int at = in.position();
    int length = Short.toUnsignedInt(in.getShort());
    require(length <= MAX_PAYLOAD_BYTES, at, "payload of " + length + " bytes");
    require(length == in.remaining(), at, in.remaining() + " bytes of payload, not " + length);
    byte[] payload = new byte[length];
    in.get(payload);
    return new ExportedMemory(kind, payload);
  }

  private static void require(boolean condition, int offset, String reason) throws IOException {
    if (!condition) {
      throw new IOException("handle of exported memory, offset " + offset + ": " + reason);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExportedMemory that
        && kind.equals(that.kind)
        && Arrays.equals(payload, that.payload);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + Arrays.hashCode(payload);
  }

  @Override
  public String toString() {
    return kind + ":" + HexFormat.of().formatHex(payload);
  }
}
