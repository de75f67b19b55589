package io.cairn.engine.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames in their order, as far as the channel takes them, in sealed records or plain. Short
 * frames leave together; a long body is written plain from where it lies. Not thread-safe.
 */
final class FrameWriter {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** The longest body that is copied to leave with others, if nothing is sealed. */
  private static final int JOINED_BYTES = 16 << 10;

  /** Bytes of a body between two looks at other connections. */
  private static final int SLICE_BYTES = 128 << 10;

  private final LoopMemory memory;
  private final @Nullable Sealing sealing;
  private final Queue<Outgoing> waiting = new ArrayDeque<>();

  // of the frame that is under way
  private final ByteBuffer begin = ByteBuffer.allocate(Frame.BYTES).limit(0);
  private ByteBuffer header = NOTHING;
  private ByteBuffer body = NOTHING;
  private int bodyEnd;

  /** The bytes that are written next: those of a body, or borrowed ones. */
  private ByteBuffer ready = NOTHING;

  private @Nullable ByteBuffer borrowed;

  /** Those of the ready bytes that belong to no frame. */
  private int ofRecords;

  private long addedBytes;
  private long writtenBytes;

  private record Outgoing(Frame frame, ByteBuffer header, ByteBuffer body) {
    long bytes() {
      return (long) Frame.BYTES + frame.headerBytes() + frame.bodyBytes();
    }
  }

  /**
   * A writer.
   *
   * @param sealing null if nothing is sealed
   */
  FrameWriter(LoopMemory memory, @Nullable Sealing sealing) {
    this.memory = memory;
    this.sealing = sealing;
  }

  /** Queues a frame; the bytes must not change until they are written. */
  void add(Frame.Kind kind, long number, ByteBuffer ofHeader, ByteBuffer ofBody) {
    Frame frame = new Frame(kind, number, ofHeader.remaining(), ofBody.remaining());
    Outgoing outgoing = new Outgoing(frame, ofHeader.duplicate(), ofBody.duplicate());
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
    if (!ready.hasRemaining()) {
      if (queuedBytes() == 0) {
        return false;
      }
      prepare();
    }
    int count = channel.write(ready);
    int without = Math.min(ofRecords, count);
    ofRecords -= without;
    writtenBytes += count - without;
    if (ready.hasRemaining()) {
      return false;
    }
    release();
    if (queuedBytes() == 0) {
      forget();
    }
    return true;
  }

  private void prepare() throws IOException {
    if (isLongBodyNext()) {
      ready = body.limit(Math.min(bodyEnd, body.position() + SLICE_BYTES));
      return;
    }
    ByteBuffer place = memory.borrow();
    borrowed = place;
    if (sealing == null) {
      gather(place);
    } else {
      seal(sealing, place);
    }
    ready = place.flip();
  }

  private void seal(Sealing by, ByteBuffer place) throws IOException {
    int count = Sealing.PLAIN_BYTES;
    while (count == Sealing.PLAIN_BYTES && place.remaining() >= Sealing.RECORD_BYTES) {
      ByteBuffer plain = memory.gathered();
      gather(plain);
      count = plain.flip().remaining();
      if (count > 0) {
        by.seal(plain, place);
        ofRecords += Sealing.LENGTH_BYTES + Sealing.TAG_BYTES;
      }
    }
  }

  /** Copies what fits: frames, the end of one, or a beginning. */
  private void gather(ByteBuffer place) {
    while (place.hasRemaining() && hasNext() && !isLongBodyNext()) {
      LoopMemory.move(begin, place, Integer.MAX_VALUE);
      LoopMemory.move(header, place, Integer.MAX_VALUE);
      if (!isLongBodyNext()) {
        LoopMemory.move(body, place, Integer.MAX_VALUE);
      }
    }
  }

  /** Whether the rest of the body under way is written from where it lies. */
  private boolean isLongBodyNext() {
    return sealing == null
        && !begin.hasRemaining()
        && !header.hasRemaining()
        && bodyEnd - body.position() > JOINED_BYTES;
  }

  private boolean hasNext() {
    if (!begin.hasRemaining() && !header.hasRemaining() && body.position() == bodyEnd) {
      Outgoing next = waiting.poll();
      if (next == null) {
        return false;
      }
      next.frame().put(begin.clear());
      begin.flip();
      header = next.header();
      body = next.body();
      bodyEnd = body.limit();
    }
    return true;
  }

  /** Gives back the memory that it holds; what is not written yet is never written. */
  void release() {
    ByteBuffer held = borrowed;
    if (held != null) {
      borrowed = null;
      memory.giveBack(held);
    }
    ready = NOTHING;
    body.limit(bodyEnd);
  }

  /** An idle connection holds no memory of its callers. */
  private void forget() {
    header = NOTHING;
    body = NOTHING;
    bodyEnd = 0;
  }
}
