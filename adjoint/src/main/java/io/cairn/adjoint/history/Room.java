package io.cairn.adjoint.history;

import io.cairn.Level;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The chunks of a {@link Shelf}: which are free. The ledger's monitor guards it. */
final class Room {
  /** Chunks that were freed together, after a mark. */
  private static final class Freed {
    final long mark;
    final int[] chunks;

    Freed(long mark, int[] chunks) {
      this.mark = mark;
      this.chunks = chunks;
    }
  }

  /** Its place among the rooms, the fastest first. */
  final int number;

  final Shelf shelf;
  final ChunkPool chunks;

  /**
   * Chunks that are free, but whose bytes a program may need after a kill. Each is held until a
   * mark after it is passed. None if the states do not outlive the process.
   */
  private final Deque<Freed> held = new ArrayDeque<>();

  private final boolean holds;
  private long mark;
  private int heldChunks;

  /** Why it takes no state now. */
  @Nullable IOException failure;

  /** Whether it takes no state until it has other chunks, since some of them are gone. */
  private boolean retired;

  private long bytesDown;
  private long bytesUp;

  /**
   * All chunks are free.
   *
   * @param holds whether chunks are kept until their mark is passed
   */
  Room(int number, Shelf shelf, int capacity, boolean holds) {
    this.number = number;
    this.shelf = shelf;
    chunks = new ChunkPool(capacity);
    this.holds = holds;
  }

  /** Whether its states outlive the process. */
  boolean isDurable() {
    return shelf.level() != Level.DEVICE;
  }

  /** Chunks that {@link #take} could take. */
  int free() {
    return retired ? 0 : chunks.free() + heldChunks;
  }

  /** It has so many chunks from now on, all of them free; it had none. */
  void restart(int capacity) {
    chunks.restart(capacity);
    failure = null;
    retired = false;
  }

  /** Takes no further state, until it gets other chunks. */
  void retire() {
    retired = true;
  }

  /** Whether chunks of a state here are gone; of a room that lost none, no chunk is looked at. */
  boolean hasGone(State state) {
    return retired && state.hasGone(this, shelf::isGone);
  }

  /** Whether it takes a state of so many chunks now. */
  boolean serves(int count) {
    return failure == null && free() >= count;
  }

  /** Takes chunks for a state that comes here; so many must be free. */
  void take(State state) {
    if (chunks.free() < state.chunks) {
      releaseAll();
    }
    state.leaveFor(this);
    chunks.take(state.below, state.chunks);
    shelf.take(state.below, state.chunks);
  }

  /** The state came here, or could not be written. */
  void taken(State state, @Nullable IOException problem) {
    if (problem == null) {
      state.arrive();
      bytesDown += state.totalBytes();
    } else {
      failure = problem;
      release(state.below, state.chunks);
      state.stay();
    }
  }

  /** Nobody needs these chunks, now or once a later mark is passed. */
  void give(int[] freed, int count) {
    if (holds) {
      held.add(new Freed(mark, Arrays.copyOf(freed, count)));
      heldChunks += count;
    } else {
      release(freed, count);
    }
  }

  /** A new mark: chunks that are freed from now on are held until a later one is passed. */
  long mark() {
    return ++mark;
  }

  /** Releases the chunks that were freed before a mark. */
  void passed(long passed) {
    while (!held.isEmpty() && held.getFirst().mark < passed) {
      releaseFirst();
    }
  }

  /** Releases all chunks that are held. */
  void releaseAll() {
    while (!held.isEmpty()) {
      releaseFirst();
    }
  }

  private void releaseFirst() {
    int[] first = held.removeFirst().chunks;
    heldChunks -= first.length;
    release(first, first.length);
  }

  private void release(int[] freed, int count) {
    chunks.give(freed, count);
    shelf.free(freed, count);
  }

  /** These states lie here since an earlier process; no chunk was taken yet. */
  void claim(Collection<State> states) {
    BitSet claimed = new BitSet();
    for (State state : states) {
      for (int i = 0; i < state.chunks; i++) {
        claimed.set(state.below[i]);
      }
    }
    chunks.claim(claimed);
  }

  void up(long bytes) {
    bytesUp += bytes;
  }

  HistoryStats.Place stats(long chunkBytes) {
    return new HistoryStats.Place(
        shelf.name(),
        shelf.level(),
        bytesDown,
        bytesUp,
        chunks.used() * chunkBytes,
        chunks.peak() * chunkBytes);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%d of %d in %s", free(), chunks.capacity(), shelf.name());
  }
}
