package io.cairn.lab.bench.collaborative;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * The state that ranks checkpoint: bytes that are different for every checkpoint, rank and chunk,
 * so that nothing is taken for something else, and that every process can compute.
 *
 * @param iteration of the checkpoint
 */
record PlayedState(long iteration, int rank) {
  /** Fills a buffer from its position to its limit with a chunk's bytes, and goes back. */
  void fill(int chunk, ByteBuffer into) {
    SplittableRandom random = new SplittableRandom((iteration * 1024 + rank) << 24 | chunk);
    ByteBuffer out = into.duplicate().order(ByteOrder.nativeOrder());
    while (out.remaining() >= Long.BYTES) {
      out.putLong(random.nextLong());
    }
    while (out.hasRemaining()) {
      out.put((byte) random.nextInt());
    }
  }

  /** Fills a buffer with chunks of a length, of which the last may be short. */
  void fillAll(int chunkBytes, ByteBuffer into) {
    for (int at = into.position(), chunk = 0; at < into.limit(); at += chunkBytes, chunk++) {
      fill(chunk, into.slice(at, Math.min(chunkBytes, into.limit() - at)));
    }
  }
}
