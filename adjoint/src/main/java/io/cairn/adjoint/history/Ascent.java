package io.cairn.adjoint.history;

import org.jspecify.annotations.Nullable;

/**
 * Decides which state comes up from a room: the one that is read first of those that lie there
 * alone. The ledger's monitor guards it.
 */
final class Ascent {
  private final Residents residents;
  private final StepIndex index;
  private final Upcoming upcoming;

  /** States on their way up. */
  private int moves;

  Ascent(Residents residents, StepIndex index, Upcoming upcoming) {
    this.residents = residents;
    this.index = index;
    this.upcoming = upcoming;
  }

  /** Whether a state is on its way up. */
  boolean isBusy() {
    return moves > 0;
  }

  /** Brings a state up, and takes its chunks of the device; null if none comes. */
  @Nullable State next(Room room) {
    State state = nextRead(room);
    if (state == null || !residents.take(state, state.key)) {
      return null;
    }
    state.moving = true;
    moves++;
    return state;
  }

  private @Nullable State nextRead(Room room) {
    for (long step = upcoming.step(room.number); step >= 0; step = upcoming.serve(room.number)) {
      State state = index.find(step);
      if (state != null
          && state.isBelow
          && state.room == room
          && !state.onDevice
          && !state.moving
          && !state.pinned
          && !state.unreadable) {
        return state;
      }
    }
    return null;
  }

  /** A state came up, or could not be read. */
  void ended(State state, boolean good) {
    state.moving = false;
    moves--;
    if (good) {
      state.onDevice = true;
      state.requireRoom().up(state.totalBytes());
    } else {
      state.unreadable = true;
      residents.device.give(state.device, state.chunks);
    }
  }
}
