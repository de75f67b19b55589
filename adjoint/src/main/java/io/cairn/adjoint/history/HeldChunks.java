package io.cairn.adjoint.history;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.ObjIntConsumer;

/**
 * Chunks of files that are free, but whose bytes a program may need after a kill. Each is held
 * until a mark after it is passed. The ledger's monitor guards it.
 */
final class HeldChunks {
  private static final class Freed {
    final long mark;
    final int[] chunks;

    Freed(long mark, int[] chunks) {
      this.mark = mark;
      this.chunks = chunks;
    }
  }

  private final ObjIntConsumer<int[]> pool;
  private final boolean holds;
  private final Deque<Freed> freed = new ArrayDeque<>();
  private long mark;
  private int count;

  /**
   * Holds none.
   *
   * @param pool to which the first so many chunks of an array go back
   */
  HeldChunks(ObjIntConsumer<int[]> pool, boolean holds) {
    this.pool = pool;
    this.holds = holds;
  }

  /** The number of chunks. */
  int count() {
    return count;
  }

  /** Frees chunks, now or later. */
  void give(int[] chunks, int number) {
    if (holds) {
      freed.add(new Freed(mark, Arrays.copyOf(chunks, number)));
      count += number;
    } else {
      pool.accept(chunks, number);
    }
  }

  /** A new mark: chunks that are freed from now on are held until a later one is passed. */
  long mark() {
    return ++mark;
  }

  /** Releases the chunks that were freed before a mark. */
  void passed(long passed) {
    while (!freed.isEmpty() && freed.getFirst().mark < passed) {
      release();
    }
  }

  void releaseAll() {
    while (!freed.isEmpty()) {
      release();
    }
  }

  private void release() {
    int[] chunks = freed.removeFirst().chunks;
    count -= chunks.length;
    pool.accept(chunks, chunks.length);
  }
}
