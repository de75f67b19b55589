package io.cairn.engine.net;

import io.cairn.core.peer.PeerTransport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/**
 * The beginning of a frame; numbers are big-endian. Frames follow each other, in sealed records or
 * plain; a record begins and ends anywhere in them.
 *
 * <pre>
 *   0      1        9              13             17
 *  +------+--------+--------------+--------------+------------+----------+
 *  | kind | number | header bytes | body bytes   | header ... | body ... |
 *  +------+--------+--------------+--------------+------------+----------+
 * </pre>
 *
 * @param number of the question or push, which its reply has, too
 */
record Frame(Kind kind, long number, int headerBytes, int bodyBytes) {
  static final int BYTES = 17;

  /** The kind of a frame. */
  enum Kind {
    /** Its body is a question. */
    QUESTION(0, 0, PeerTransport.MAX_MESSAGE_BYTES),
    /** Its header and body are those of a push. */
    PUSH(1, PeerTransport.MAX_HEADER_BYTES, PeerTransport.MAX_BODY_BYTES),
    /** Its body answers a question; that of a taken push is empty. */
    DONE(2, 0, PeerTransport.MAX_MESSAGE_BYTES),
    /** Its body is the reason, in UTF-8. */
    REFUSED(3, 0, MOST_REASON_BYTES);

    private final int code;
    private final int mostHeader;
    private final int mostBody;

    Kind(int code, int mostHeader, int mostBody) {
      this.code = code;
      this.mostHeader = mostHeader;
      this.mostBody = mostBody;
    }
  }

  static final int MOST_REASON_BYTES = 2000;

  void put(ByteBuffer to) {
    to.put((byte) kind.code).putLong(number).putInt(headerBytes).putInt(bodyBytes);
  }

  /**
   * Reads a beginning.
   *
   * @throws IOException if no peer sends it
   */
  static Frame read(ByteBuffer from) throws IOException {
    int code = from.get();
    Kind kind =
        Arrays.stream(Kind.values())
            .filter(each -> each.code == code)
            .findFirst()
            .orElseThrow(() -> new IOException("a frame of kind " + code));
    Frame frame = new Frame(kind, from.getLong(), from.getInt(), from.getInt());
    if (frame.headerBytes < 0
        || frame.headerBytes > frame.kind.mostHeader
        || frame.bodyBytes < 0
        || frame.bodyBytes > frame.kind.mostBody) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "a frame %s with a header of %d and a body of %d bytes",
              frame.kind,
              frame.headerBytes,
              frame.bodyBytes));
    }
    return frame;
  }
}
