package io.cairn.engine.net;

import io.cairn.core.peer.PeerSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Takes a connection's bytes as they come, and gives bodies to sinks. A sink is complete only after
 * its body's code was verified. Not thread-safe.
 */
final class FrameReader {
  private static final int CODE = PeerSecret.PROOF_BYTES;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final FrameCodes codes;
  private final Frames frames;
  private final ByteBuffer begin = ByteBuffer.allocate(Frame.BYTES);
  private final ByteBuffer code = ByteBuffer.allocate(CODE);

  private ByteBuffer header = NOTHING;
  private Frame frame = new Frame(Frame.Kind.DONE, 0, 0, 0);
  private PeerSink sink = Discarded.INSTANCE;
  private int bodyLeft;
  private boolean over;
  private Part part = Part.BEGIN;

  private enum Part {
    BEGIN,
    HEADER,
    BODY,
    END
  }

  /** Decides where a body goes. */
  interface Frames {
    /**
     * A frame whose beginning and header are verified.
     *
     * @return receives the body; what it throws ends the connection
     * @throws IOException to end the connection
     */
    PeerSink begin(Frame frame, byte[] header) throws IOException;
  }

  /** Where no body is open. */
  private enum Discarded implements PeerSink {
    INSTANCE;

    @Override
    public void data(ByteBuffer slice) {}

    @Override
    public void complete() {}

    @Override
    public void failed(String reason) {}
  }

  FrameReader(FrameCodes codes, Frames frames) {
    this.codes = codes;
    this.frames = frames;
  }

  /**
   * Takes bytes up to the end of a frame, or all; all if it has ended.
   *
   * @throws IOException if no peer that knows the secret sends them; then nothing more is taken
   */
  void take(ByteBuffer bytes) throws IOException {
    boolean whole = false;
    if (over) {
      bytes.position(bytes.limit());
    }
    while (bytes.hasRemaining() && !whole) {
      switch (part) {
        case BEGIN -> {
          if (fill(begin, bytes)) {
            begun();
          }
        }
        case HEADER -> {
          if (fill(header, bytes)) {
            headed();
          }
        }
        case BODY -> body(bytes);
        case END -> {
          if (fill(code, bytes)) {
            ended();
            whole = true;
          }
        }
      }
    }
  }

  /** Whether a part of a frame has come. */
  boolean isWithinFrame() {
    return part != Part.BEGIN || begin.position() > 0;
  }

  private static boolean fill(ByteBuffer place, ByteBuffer bytes) {
    int count = Math.min(place.remaining(), bytes.remaining());
    place.put(bytes.slice(bytes.position(), count));
    bytes.position(bytes.position() + count);
    return !place.hasRemaining();
  }

  private void begun() throws IOException {
    frame = Frame.read(begin.flip());
    header = ByteBuffer.allocate(frame.headerBytes() + CODE);
    part = Part.HEADER;
  }

  private void headed() throws IOException {
    codes.begin();
    codes.add(begin.rewind());
    codes.add(header.flip().limit(frame.headerBytes()));
    byte[] found = Arrays.copyOfRange(header.array(), frame.headerBytes(), header.capacity());
    require(found);
    sink = frames.begin(frame, Arrays.copyOf(header.array(), frame.headerBytes()));
    codes.begin();
    begin.clear();
    header = NOTHING;
    bodyLeft = frame.bodyBytes();
    part = bodyLeft == 0 ? Part.END : Part.BODY;
  }

  private void require(byte[] found) throws IOException {
    if (!MessageDigest.isEqual(codes.end(), found)) {
      throw new IOException("a frame does not prove the secret");
    }
  }

  private void body(ByteBuffer bytes) throws IOException {
    int count = Math.min(bodyLeft, bytes.remaining());
    ByteBuffer slice = bytes.slice(bytes.position(), count);
    codes.add(slice);
    bytes.position(bytes.position() + count);
    bodyLeft -= count;
    sink.data(slice);
    if (bodyLeft == 0) {
      part = Part.END;
    }
  }

  private void ended() throws IOException {
    require(code.array());
    code.clear();
    part = Part.BEGIN;
    PeerSink whole = sink;
    sink = Discarded.INSTANCE;
    whole.complete();
  }

  /** No byte comes any more. */
  void end(String why) {
    over = true;
    PeerSink open = sink;
    sink = Discarded.INSTANCE;
    open.failed(why);
  }
}
