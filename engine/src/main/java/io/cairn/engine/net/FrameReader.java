package io.cairn.engine.net;

import io.cairn.core.peer.PeerSink;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the bytes of frames as they come, and gives bodies to sinks. Not thread-safe. */
final class FrameReader {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Frames frames;
  private final ByteBuffer begin = ByteBuffer.allocate(Frame.BYTES);

  private ByteBuffer header = NOTHING;
  private Frame frame = new Frame(Frame.Kind.DONE, 0, 0, 0);
  private PeerSink sink = Discarded.INSTANCE;
  private int bodyLeft;
  private boolean over;
  private Part part = Part.BEGIN;

  private enum Part {
    BEGIN,
    HEADER,
    BODY
  }

  /** Decides where a body goes. */
  interface Frames {
    /**
     * A frame whose header has come.
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

  FrameReader(Frames frames) {
    this.frames = frames;
  }

  /**
   * Takes bytes up to the end of a frame, or all; all if it has ended.
   *
   * @throws IOException if no peer sends them; then nothing more is taken
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
            whole = begun();
          }
        }
        case HEADER -> {
          if (fill(header, bytes)) {
            whole = headed();
          }
        }
        case BODY -> whole = body(bytes);
      }
    }
  }

  /** Whether a part of a frame has come. */
  boolean isWithinFrame() {
    return part != Part.BEGIN || begin.position() > 0;
  }

  private static boolean fill(ByteBuffer place, ByteBuffer bytes) {
    LoopMemory.move(bytes, place, Integer.MAX_VALUE);
    return !place.hasRemaining();
  }

  private boolean begun() throws IOException {
    frame = Frame.read(begin.flip());
    begin.clear();
    header = ByteBuffer.allocate(frame.headerBytes());
    part = Part.HEADER;
    return !header.hasRemaining() && headed();
  }

  private boolean headed() throws IOException {
    byte[] whole = header.array();
    header = NOTHING;
    sink = frames.begin(frame, whole);
    bodyLeft = frame.bodyBytes();
    part = Part.BODY;
    return bodyLeft == 0 && ended();
  }

  private boolean body(ByteBuffer bytes) throws IOException {
    int count = Math.min(bodyLeft, bytes.remaining());
    ByteBuffer slice = bytes.slice(bytes.position(), count);
    bytes.position(bytes.position() + count);
    bodyLeft -= count;
    sink.data(slice);
    return bodyLeft == 0 && ended();
  }

  private boolean ended() throws IOException {
    part = Part.BEGIN;
    PeerSink whole = sink;
    sink = Discarded.INSTANCE;
    whole.complete();
    return true;
  }

  /** No byte comes any more. */
  void end(String why) {
    over = true;
    PeerSink open = sink;
    sink = Discarded.INSTANCE;
    open.failed(why);
  }
}
