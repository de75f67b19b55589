package io.cairn.adjoint.history;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Decides which state goes down, and to which room. All rooms work at once: a slower one takes a
 * state as soon as more is to come than the device and the faster rooms have room for. So the
 * slower ones get no byte that the faster ones could keep. The ledger's monitor guards it.
 */
final class Descent {
  private final Residents residents;
  private final StepIndex index;
  private final Expectation expectation;

  /** States that must outlive the process, whether there is room above or not. */
  private final Deque<State> secured = new ArrayDeque<>();

  /** Its states go to slower rooms, and no other comes to it. */
  private @Nullable Room recalled;

  /** Where the last state of it was found; most of those before it have left. */
  private long recalledStep;

  /** States on their way down. */
  private int moves;

  /** Of the device; they become free without another write. */
  private int writingChunks;

  /** Chunks that a store waits for, or 0. */
  private int waitingChunks;

  Descent(Residents residents, StepIndex index, Expectation expectation) {
    this.residents = residents;
    this.index = index;
    this.expectation = expectation;
  }

  /** A state must come to a durable room; failures of theirs are forgotten. */
  void secure(State state) {
    if (!state.isDurable()) {
      secured.add(state);
      residents.durable().forEach(room -> room.failure = null);
    }
  }

  /** A store waits for so many chunks; the rooms that failed are tried again. */
  void waits(int chunks) {
    waitingChunks = chunks;
    forgetFailures();
  }

  /** No store waits. */
  void waitsNoMore() {
    waitingChunks = 0;
  }

  /** Whether no state is on its way down. */
  boolean isStill() {
    return moves == 0;
  }

  /** Whether no state is on its way down, and none can be sent. */
  boolean isStuck() {
    State next = residents.lastDirty();
    return moves == 0
        && (next == null || residents.rooms.stream().noneMatch(room -> takes(room, next.chunks)));
  }

  private boolean takes(Room room, int chunks) {
    return room != recalled && room.serves(chunks);
  }

  /** Begins to empty a room, whose states go to slower ones; null ends that. */
  void recalled(@Nullable Room room) {
    recalled = room;
    recalledStep = 0;
    forgetFailures();
  }

  /** The rooms that failed are tried again. */
  void forgetFailures() {
    residents.rooms.forEach(room -> room.failure = null);
  }

  /** Whether no state leaves a recalled room, although one could be moved. */
  boolean isRecallStuck() {
    State next = firstRecalled();
    return moves == 0
        && next != null
        && residents.rooms.stream().noneMatch(room -> isSlower(room) && takes(room, next.chunks));
  }

  private boolean isSlower(Room room) {
    return recalled != null && room.number > recalled.number;
  }

  private @Nullable State firstRecalled() {
    Room from = recalled;
    State first =
        from == null
            ? null
            : index.first(
                recalledStep,
                state -> state.isBelow && state.room == from && !state.moving && !state.pinned);
    recalledStep = first == null ? recalledStep : first.step;
    return first;
  }

  /** How long a store without room waits for the rooms that failed. */
  long patienceNanos() {
    return residents.rooms.stream()
        .filter(room -> room.failure != null)
        .mapToLong(room -> room.shelf.patience().toNanos())
        .max()
        .orElse(0);
  }

  /** Why a room takes no state; null if none failed. */
  @Nullable IOException failure() {
    return residents.rooms.stream()
        .map(room -> room.failure)
        .filter(failure -> failure != null)
        .findFirst()
        .orElse(null);
  }

  /** Sends a state to a room, and takes its chunks there; null if none goes. */
  @Nullable State next(Room room, boolean reading) {
    State state = room.isDurable() ? fitting(securedFor(room), room) : null;
    if (state == null && isSlower(room)) {
      state = fitting(firstRecalled(), room);
    }
    if (state == null) {
      state = fitting(nextFor(room, reading), room);
    }
    if (state == null) {
      return null;
    }
    residents.remove(state);
    room.take(state);
    state.moving = true;
    moves++;
    writingChunks += state.onDevice ? state.chunks : 0;
    return state;
  }

  private @Nullable State fitting(@Nullable State state, Room room) {
    return state != null && takes(room, state.chunks) ? state : null;
  }

  /** A secured state goes to the fastest durable room that takes it. */
  private @Nullable State securedFor(Room room) {
    State next = nextSecured();
    boolean fits =
        next != null
            && residents.durable().stream()
                .filter(faster -> faster.number < room.number)
                .noneMatch(faster -> takes(faster, next.chunks));
    return fits ? next : null;
  }

  private @Nullable State nextSecured() {
    for (State first = secured.peek(); first != null; first = secured.peek()) {
      // A state that was written or dropped since is no longer asked for. One that was used again
      // is written, too, which costs one write.
      boolean stored = first.onDevice || first.isBelow || first.moving;
      if (stored && !first.isDurable() && !first.dropped) {
        // It may be on its way elsewhere, or the program may read it from its room.
        return first.moving || (first.pinned && first.isBelow) ? null : first;
      }
      secured.remove();
    }
    return null;
  }

  private @Nullable State nextFor(Room room, boolean reading) {
    long wanted = Math.max(waitingChunks, expectation.chunks(reading));
    long missing = wanted - residents.available() - writingChunks;
    State last = missing > 0 ? residents.lastDirty() : null;
    return last != null && missing > freeAbove(room, last.chunks) ? last : null;
  }

  /** Free chunks of the faster rooms that take a state of that size. */
  private long freeAbove(Room room, int chunks) {
    long free = 0;
    for (Room faster : residents.rooms.subList(0, room.number)) {
      free += takes(faster, chunks) ? faster.free() : 0;
    }
    return free;
  }

  /** A state came to its room, or could not be written. */
  void ended(State state, @Nullable IOException problem) {
    state.moving = false;
    moves--;
    writingChunks -= state.onDevice ? state.chunks : 0;
    state.requireRoom().taken(state, problem);
  }
}
