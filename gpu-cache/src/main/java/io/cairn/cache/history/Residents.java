package io.cairn.cache.history;

import org.jspecify.annotations.Nullable;

/**
 * The chunks of device and files, and the states on the device: dirty ones lie there alone, clean
 * ones in the files too. A clean state leaves as soon as another needs its chunks. The ledger's
 * monitor guards it.
 */
final class Residents {
  final ChunkPool device;
  final ChunkPool files;
  final HeldChunks held;
  private final Upcoming upcoming;
  private final StateHeap clean = new StateHeap();
  private final StateHeap dirty = new StateHeap();
  private int cleanChunks;

  Residents(HistorySettings settings, Upcoming upcoming, boolean holds) {
    device = new ChunkPool(settings.deviceChunks());
    files = new ChunkPool(settings.fileChunks());
    held = new HeldChunks(files, holds);
    this.upcoming = upcoming;
  }

  /** Chunks of the device that are free, or become free without a write. */
  int available() {
    return device.free() + cleanChunks;
  }

  /**
   * Checks that a state of so many chunks may ever find room.
   *
   * @throws HistoryException naming both sizes, if it may not
   */
  void requireFit(long step, int chunks, int chunkBytes) {
    if (chunks > device.capacity()) {
      throw new HistoryException(
          "step %d needs %d chunks of %d bytes; the history has %d on the device: give it more"
              .formatted(step, chunks, chunkBytes, device.capacity()));
    }
  }

  /** Free chunks, for messages. */
  String room() {
    return "%d of %d on the device, and %d of %d in files"
        .formatted(device.free(), device.capacity(), filesFor(), files.capacity());
  }

  /** The dirty state that is read last. */
  @Nullable State lastDirty() {
    return dirty.last();
  }

  /** Takes chunks of the device. The states that leave are read after that number. */
  boolean take(State state, long number) {
    if (!makeRoom(state.chunks, number)) {
      return false;
    }
    device.take(state.device, state.chunks);
    return true;
  }

  /** Takes chunks of the files; whether it could. */
  boolean takeFiles(State state) {
    if (files.free() < state.chunks) {
      held.releaseAll();
    }
    if (files.free() < state.chunks) {
      return false;
    }
    files.take(state.file, state.chunks);
    return true;
  }

  /** Chunks of the files that {@link #takeFiles} could take. */
  int filesFor() {
    return files.free() + held.count();
  }

  /** Frees chunks by states that are read after that number; whether it could. */
  boolean makeRoom(int chunks, long number) {
    while (device.free() < chunks) {
      State last = clean.last();
      if (last == null || last.key <= number) {
        return false;
      }
      remove(last);
      last.onDevice = false;
      device.give(last.device, last.chunks);
      upcoming.left(last);
    }
    return true;
  }

  /** Puts a state that nobody moves or reads where it belongs. */
  void settle(State state) {
    if (!state.onDevice || state.moving || state.pinned) {
      return;
    }
    if (state.inFile) {
      clean.add(state);
      cleanChunks += state.chunks;
    } else {
      dirty.add(state);
    }
  }

  /** Takes a state out, so that it neither leaves nor is written. */
  void remove(State state) {
    if (clean.remove(state)) {
      cleanChunks -= state.chunks;
    }
    dirty.remove(state);
  }

  /** Frees all chunks of a state. */
  void free(State state) {
    remove(state);
    if (state.onDevice) {
      device.give(state.device, state.chunks);
    }
    if (state.inFile) {
      held.give(state.file, state.chunks);
    }
  }

  /** The keys of all states have changed. */
  void reorder() {
    clean.reorder();
    dirty.reorder();
  }
}
