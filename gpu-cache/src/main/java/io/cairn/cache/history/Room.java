package io.cairn.cache.history;

import io.cairn.core.model.Level;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The chunks of a {@link Shelf}: which are free. The ledger's monitor guards it. */
final class Room {
  /** Its place among the rooms, the fastest first. */
  final int number;

  final Shelf shelf;
  final ChunkPool chunks;
  final HeldChunks held;

  /** Why it takes no state now. */
  @Nullable IOException failure;

  private long bytesDown;
  private long bytesUp;

  /** Where the state that is on its way here lay in another room. */
  private @Nullable Room source;

  private int[] sourceChunks = new int[0];

  /**
   * All chunks are free.
   *
   * @param holds whether chunks are kept until their mark is passed
   */
  Room(int number, Shelf shelf, int capacity, boolean holds) {
    this.number = number;
    this.shelf = shelf;
    chunks = new ChunkPool(capacity);
    held = new HeldChunks(chunks, holds);
  }

  /** Whether its states outlive the process. */
  boolean isDurable() {
    return shelf.level() != Level.DEVICE;
  }

  /** Chunks that {@link #take} could take. */
  int free() {
    return chunks.free() + held.count();
  }

  /** Whether it takes a state of so many chunks now. */
  boolean serves(int count) {
    return failure == null && free() >= count;
  }

  /** Takes chunks for a state that comes here; so many must be free. */
  void take(State state) {
    if (chunks.free() < state.chunks) {
      held.releaseAll();
    }
    source = state.isBelow ? state.room : null;
    if (source != null) {
      if (sourceChunks.length < state.chunks) {
        sourceChunks = new int[state.chunks];
      }
      System.arraycopy(state.below, 0, sourceChunks, 0, state.chunks);
    }
    chunks.take(state.below, state.chunks);
    state.room = this;
    state.isBelow = false;
  }

  /** Where the state on its way here comes from; null if from the device. */
  @Nullable Shelf source() {
    return source == null ? null : source.shelf;
  }

  /** Its chunks there. They do not change while it is on its way. */
  int[] sourceChunks() {
    return sourceChunks;
  }

  /** The state came here, or could not be written. */
  void taken(State state, @Nullable IOException problem) {
    state.isBelow = problem == null;
    if (problem == null) {
      bytesDown += state.totalBytes();
    } else {
      failure = problem;
      chunks.give(state.below, state.chunks);
    }
    if (source != null && problem == null) {
      source.held.give(sourceChunks, state.chunks);
    } else if (source != null) {
      System.arraycopy(sourceChunks, 0, state.below, 0, state.chunks);
      state.room = source;
      state.isBelow = true;
    }
    source = null;
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
    return "%d of %d in %s".formatted(free(), chunks.capacity(), shelf.name());
  }
}
