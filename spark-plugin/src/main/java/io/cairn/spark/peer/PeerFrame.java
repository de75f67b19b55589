package io.cairn.spark.peer;

import io.cairn.core.peer.PeerTransport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The framing of a service's bytes; numbers are big-endian. A question has no frame.
 *
 * <pre>
 *  header of a push                           reply to a question or push
 *   0        1                9               0        1
 *  +--------+----------------+-----------    +--------+-----------------------------
 *  | version| bytes of body  | header ...    | status | answer, or (refused) why, UTF-8
 *  +--------+----------------+-----------    +--------+-----------------------------
 * </pre>
 */
final class PeerFrame {
  private static final byte VERSION = 1;
  private static final int HEADER_OFFSET = 9;
  private static final byte DONE = 0;
  private static final byte REFUSED = 1;
  private static final int MAX_REASON_CHARS = 500;

  private PeerFrame() {}

  static ByteBuffer announce(long bytes, byte[] header) {
    ByteBuffer frame = ByteBuffer.allocate(HEADER_OFFSET + header.length);
    return frame.put(VERSION).putLong(bytes).put(header).flip();
  }

  /**
   * Reads the length of a push's body; the {@link #rest} is then its header.
   *
   * @throws IllegalArgumentException if no peer of this version sends such a frame
   */
  static long announcedBytes(ByteBuffer frame) {
    int length = frame.remaining() - HEADER_OFFSET;
    if (length < 0 || length > PeerTransport.MAX_HEADER_BYTES) {
      throw new IllegalArgumentException("announcement of " + frame.remaining() + " bytes");
    }
    byte version = frame.get();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "announcement of version " + version + "; this is version " + VERSION);
    }
    long bytes = frame.getLong();
    if (bytes < 0 || bytes > PeerTransport.MAX_BODY_BYTES) {
      throw new IllegalArgumentException("announced body of " + bytes + " bytes");
    }
    return bytes;
  }

  static ByteBuffer done(byte[] answer) {
    return ByteBuffer.allocate(1 + answer.length).put(DONE).put(answer).flip();
  }

  static ByteBuffer refused(String reason) {
    byte[] why =
        reason
            .substring(0, Math.min(reason.length(), MAX_REASON_CHARS))
            .getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + why.length).put(REFUSED).put(why).flip();
  }

  /**
   * Reads whether the peer refused; the {@link #rest} is then its answer, or its reason.
   *
   * @throws IllegalArgumentException if no peer of this version sends such a frame
   */
  static boolean isRefusal(ByteBuffer frame) {
    byte status = frame.hasRemaining() ? frame.get() : -1;
    if (status != DONE && status != REFUSED) {
      throw new IllegalArgumentException("not a reply of version " + VERSION);
    }
    return status == REFUSED;
  }

  /** A copy of the unread part of a frame, whose memory belongs to the network layer. */
  static byte[] rest(ByteBuffer frame) {
    byte[] rest = new byte[frame.remaining()];
    frame.get(rest);
    return rest;
  }

  static String reason(byte[] rest) {
    return new String(rest, StandardCharsets.UTF_8);
  }
}
