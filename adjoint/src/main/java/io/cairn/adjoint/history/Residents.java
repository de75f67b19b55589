package io.cairn.adjoint.history;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of device and rooms, and the states on the device: dirty ones lie there alone, clean
 * ones in a room too. A clean state leaves as soon as another needs its chunks. The ledger's
 * monitor guards it.
 */
final class Residents {
  final ChunkPool device;

  /** Below the device, the fastest first. */
  final List<Room> rooms;

  private final List<Room> durable;
  private final Upcoming upcoming;
  private final StateHeap clean = new StateHeap();
  private final StateHeap dirty = new StateHeap();
  private int cleanChunks;

  Residents(int deviceChunks, List<Room> rooms, Upcoming upcoming) {
    device = new ChunkPool(deviceChunks);
    this.rooms = List.copyOf(rooms);
    durable = rooms.stream().filter(Room::isDurable).toList();
    this.upcoming = upcoming;
  }

  /** The rooms whose states outlive the process, the fastest first; at least one. */
  List<Room> durable() {
    return durable;
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
          String.format(
              Locale.ROOT,
              "step %d needs %d chunks of %d bytes; the history has %d on the device: give it more",
              step,
              chunks,
              chunkBytes,
              device.capacity()));
    }
  }

  /** Free chunks, for messages. */
  String room() {
    return String.format(
        Locale.ROOT,
        "%d of %d on the device, and %s",
        device.free(),
        device.capacity(),
        rooms.stream().map(Room::toString).collect(Collectors.joining(", ")));
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
    if (state.isBelow && state.requireRoom().hasGone(state)) {
      goneBelow(state); // the copy here is the last one
    } else if (state.isBelow) {
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

  /** The copy below of a state on the device is gone; nobody moves or reads the state. */
  void goneBelow(State state) {
    remove(state);
    state.requireRoom().give(state.below, state.chunks);
    state.room = null;
    state.isBelow = false;
    settle(state);
  }

  /** Frees all chunks of a state. */
  void free(State state) {
    remove(state);
    if (state.onDevice) {
      device.give(state.device, state.chunks);
    }
    if (state.isBelow) {
      state.requireRoom().give(state.below, state.chunks);
    }
  }

  /** The keys of all states have changed. */
  void reorder() {
    clean.reorder();
    dirty.reorder();
  }
}
