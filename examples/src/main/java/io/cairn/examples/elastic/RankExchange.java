package io.cairn.examples.elastic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;

/**
 * The other ranks of a training, as one rank sees them. All ranks make the same calls in the same
 * order. Not thread-safe: the training thread of a rank owns it.
 */
interface RankExchange extends AutoCloseable {
  /** The longest block that a rank may give. */
  int MOST_BLOCK_BYTES = 1 << 18;

  /** The index of this rank, from 0. */
  int rank();

  /** How many ranks there are, at least 1. */
  int ranks();

  /**
   * Gives a block and returns those of all ranks. Waits until every rank has called it. Costs each
   * rank its own block sent and the others' received.
   *
   * @param block all bytes from its position to its limit, at most {@link #MOST_BLOCK_BYTES}; may
   *     be empty, and of another length on each rank. It is not changed
   * @return by rank; readable until the next call
   * @throws IOException if a rank ended, left or stayed silent; no later call succeeds then
   */
  List<ByteBuffer> allGather(ByteBuffer block) throws IOException;

  /** Leaves: a call in which the other ranks wait for this one fails. Idempotent. */
  @Override
  void close();

  /** Requires that a block is short enough. */
  static void requireLength(int bytes) {
    if (bytes < 0 || bytes > MOST_BLOCK_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a block of %d bytes; ranks exchange at most %d at once",
              bytes,
              MOST_BLOCK_BYTES));
    }
  }
}
