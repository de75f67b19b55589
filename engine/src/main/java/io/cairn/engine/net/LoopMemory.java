package io.cairn.engine.net;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Memory that the connections of one loop use again and again. A connection that is idle holds none
 * of it. On the loop's thread alone.
 */
final class LoopMemory {
  private static final int ARRIVED_BYTES = 256 << 10;

  /** Some records, which leave by one call of the system. */
  private static final int LENT_BYTES = 4 * Sealing.RECORD_BYTES;

  /** Buffers of each kind that are kept while nobody uses them. */
  private static final int MOST_FREE = 64;

  private final ByteBuffer arrived = ByteBuffer.allocateDirect(ARRIVED_BYTES);
  private final ByteBuffer opened = ByteBuffer.allocate(Sealing.PLAIN_BYTES);
  private final ByteBuffer gathered = ByteBuffer.allocate(Sealing.PLAIN_BYTES);
  private final Queue<ByteBuffer> forSome = new ArrayDeque<>();
  private final Queue<ByteBuffer> forOne = new ArrayDeque<>();

  /** For one read of a channel. */
  ByteBuffer arrived() {
    return arrived.clear();
  }

  /** For a record that was opened, until its bytes are taken. */
  ByteBuffer opened() {
    return opened.clear();
  }

  /** For the bytes of one record that is sealed next. */
  ByteBuffer gathered() {
    return gathered.clear();
  }

  /** Lends room for some records, until it is given back or its connection has ended. */
  ByteBuffer borrow() {
    return borrow(forSome, LENT_BYTES);
  }

  /** Likewise for one record, since many connections may wait for the rest of theirs. */
  ByteBuffer borrowForOne() {
    return borrow(forOne, Sealing.RECORD_BYTES);
  }

  private static ByteBuffer borrow(Queue<ByteBuffer> free, int bytes) {
    ByteBuffer known = free.poll();
    return known == null ? ByteBuffer.allocate(bytes) : known.clear();
  }

  /** Takes a buffer back. */
  void giveBack(ByteBuffer borrowed) {
    Queue<ByteBuffer> free = borrowed.capacity() == LENT_BYTES ? forSome : forOne;
    if (free.size() < MOST_FREE) {
      free.add(borrowed);
    }
  }

  /** Moves bytes, as many as there are, as there is room for, and at most so many. */
  static void move(ByteBuffer from, ByteBuffer to, int most) {
    int count = Math.min(most, Math.min(from.remaining(), to.remaining()));
    to.put(to.position(), from, from.position(), count);
    from.position(from.position() + count);
    to.position(to.position() + count);
  }
}
