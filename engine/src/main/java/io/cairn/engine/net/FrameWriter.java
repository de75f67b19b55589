package io.cairn.engine.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames in their order, as far as the channel takes them. Short frames leave together; a
 * long body is written from where it lies. Not thread-safe.
 */
final class FrameWriter {
  private static final int CODE = PeerSecret.PROOF_BYTES;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Frames that are joined; a longer header has a buffer of its own. */
  private static final int JOINED_BYTES = 16 << 10;

  /** Bytes of a body between two looks at other connections. */
  private static final int SLICE_BYTES = 128 << 10;

  private final FrameCodes codes;
  private final Queue<Outgoing> waiting = new ArrayDeque<>();
  private ByteBuffer ready = NOTHING;
  private @Nullable ByteBuffer body;
  private long addedBytes;
  private long writtenBytes;

  private record Outgoing(Frame frame, ByteBuffer header, ByteBuffer body) {
    int beginBytes() {
      return Frame.BYTES + frame.headerBytes() + CODE;
    }

    long bytes() {
      return (long) beginBytes() + frame.bodyBytes() + CODE;
    }
  }

  FrameWriter(FrameCodes codes) {
    this.codes = codes;
  }

  /** Queues a frame; the bytes must not change until they are written. */
  void add(Frame.Kind kind, long number, ByteBuffer header, ByteBuffer content) {
    Frame frame = new Frame(kind, number, header.remaining(), content.remaining());
    Outgoing outgoing = new Outgoing(frame, header.duplicate(), content.duplicate());
    waiting.add(outgoing);
    addedBytes += outgoing.bytes();
  }

  /** Bytes of all frames so far. */
  long addedBytes() {
    return addedBytes;
  }

  /** Those of them that are written. */
  long writtenBytes() {
    return writtenBytes;
  }

  /** Those that are not written yet. */
  long queuedBytes() {
    return addedBytes - writtenBytes;
  }

  /** Writes one slice at most; returns whether more would be taken. */
  boolean write(WritableByteChannel channel) throws IOException {
    if (!ready.hasRemaining() && !prepare()) {
      return false;
    }
    writtenBytes += channel.write(ready);
    if (ready.hasRemaining()) {
      return false;
    }
    ready = NOTHING; // a connection that is idle holds no memory
    return true;
  }

  /** Makes the next bytes ready; false if there are none. */
  private boolean prepare() {
    ByteBuffer rest = body;
    if (rest != null && rest.remaining() > JOINED_BYTES) {
      ready = slice(rest);
      return true;
    }
    Outgoing next = waiting.peek();
    int most = next == null ? 0 : next.beginBytes() + 2 * CODE;
    ByteBuffer place =
        ByteBuffer.allocate((int) Math.min(queuedBytes(), Math.max(most, 2 * JOINED_BYTES)));
    join(place);
    ready = place.flip();
    return ready.hasRemaining();
  }

  private ByteBuffer slice(ByteBuffer rest) {
    int count = Math.min(rest.remaining(), SLICE_BYTES);
    ByteBuffer slice = rest.slice(rest.position(), count);
    rest.position(rest.position() + count);
    codes.add(slice);
    return slice;
  }

  /** Joins what fits: the end of a body, whole short frames, and the beginning of a long one. */
  private void join(ByteBuffer place) {
    boolean fits = true;
    while (fits) {
      ByteBuffer rest = body;
      Outgoing next = waiting.peek();
      if (rest != null) {
        fits = rest.remaining() <= JOINED_BYTES && place.remaining() >= rest.remaining() + CODE;
        if (fits) {
          codes.add(rest);
          place.put(rest).put(codes.end());
          body = null;
        }
      } else {
        fits = next != null && place.remaining() >= next.beginBytes();
        if (fits && next != null) {
          begin(place, next);
          waiting.remove();
        }
      }
    }
  }

  private void begin(ByteBuffer place, Outgoing next) {
    int from = place.position();
    next.frame().put(place);
    place.put(next.header());
    codes.begin();
    codes.add(place.slice(from, place.position() - from));
    place.put(codes.end());
    codes.begin();
    body = next.body();
  }
}
