package io.cairn.adjoint.history;

import io.cairn.Level;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where each state lies, which one leaves, and which one comes. Thread-safe: its monitor guards all
 * states, and no thread moves bytes while it holds the monitor.
 *
 * <p>A state that lies on the device alone is dirty, one that lies in a room too is clean. Clean
 * ones leave for others, the one that is read last first. Dirty ones are written in the same order,
 * as long as the steps to come would not fit otherwise. So states that fit to the end are never
 * written.
 */
final class Ledger {
  /** Before rooms that failed are tried again. */
  private static final long FIRST_PAUSE_MILLIS = 10;

  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  /** Any state may leave, whenever it is read. */
  private static final long ANY = -1;

  private final Upcoming upcoming;
  private final Residents residents;
  private final Descent descent;
  private final Ascent ascent;
  private final Lending lending;
  private final StepIndex index = new StepIndex();
  private final Expectation expectation;
  private final int chunkBytes;
  private final Deque<State> unused = new ArrayDeque<>();

  /** One that no other has, until the program names its run. */
  private UUID run = UUID.randomUUID();

  private boolean reading;
  private boolean closed;

  // for HistoryStats
  private long bytesPast;
  private long hits;
  private long misses;
  private long storeWaits;
  private long storeWaitNanos;
  private long restoreWaits;
  private long restoreWaitNanos;
  private long droppedUnwritten;

  /**
   * Nothing is stored.
   *
   * @param rooms below the device, the fastest first; at least one is durable
   */
  Ledger(HistorySettings settings, List<Room> rooms) {
    chunkBytes = settings.chunkBytes();
    expectation = new Expectation(chunkBytes, settings.deviceChunks());
    upcoming = new Upcoming(rooms.size());
    residents = new Residents(settings.deviceChunks(), rooms, upcoming);
    descent = new Descent(residents, index, expectation);
    ascent = new Ascent(residents, index, upcoming);
    lending = new Lending(this, residents, expectation, descent, index);
  }

  synchronized void expect(long steps, long bytesPerStep) {
    expectation.set(steps, bytesPerStep);
    reading = false;
    notifyAll();
  }

  synchronized void order(ReadOrder order) {
    upcoming.order(order);
    index.forEach(upcoming::stored);
    residents.reorder();
    notifyAll();
  }

  /**
   * Takes room for a state, and waits for it if there is none. An older state of the step is
   * dropped first.
   *
   * @throws HistoryException if there is no room and none can be made
   */
  synchronized State begin(long step, long[] sizes, int regions) {
    drop(step);
    int chunks = State.chunks(sizes, regions, chunkBytes);
    residents.requireFit(step, chunks, chunkBytes);
    if (!residents.makeRoom(chunks, ANY)) {
      awaitRoom(step, chunks);
    }
    State state = unused.isEmpty() ? new State() : unused.pop();
    state.begin(step, sizes, regions, chunkBytes);
    state.run = run;
    residents.device.take(state.device, chunks);
    expectation.begun(chunks);
    return state;
  }

  private void awaitRoom(long step, int chunks) {
    long start = System.nanoTime();
    descent.waits(chunks);
    try {
      long pauseMillis = FIRST_PAUSE_MILLIS;
      while (!residents.makeRoom(chunks, ANY)) {
        notifyAll();
        if (!descent.isStuck() || ascent.isBusy()) {
          pause();
        } else if (System.nanoTime() - start < descent.patienceNanos()) {
          pause(pauseMillis);
          pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
          descent.waits(chunks);
        } else {
          throw full(step, chunks);
        }
      }
    } finally {
      descent.waitsNoMore();
      storeWaits++;
      storeWaitNanos += System.nanoTime() - start;
    }
  }

  private HistoryException full(long step, int chunks) {
    String message =
        String.format(
            Locale.ROOT,
            ("no room for step %d: it needs %d chunks of %d bytes, free are %s; give the history"
                + " more, or use a schedule that runs steps again"),
            step,
            chunks,
            chunkBytes,
            residents.room());
    IOException failure = descent.failure();
    return failure == null ? new HistoryException(message) : new HistoryException(message, failure);
  }

  /** A state was copied to its chunks. */
  synchronized void stored(State state) {
    index.add(state);
    state.onDevice = true;
    upcoming.stored(state);
    residents.settle(state);
    notifyAll();
  }

  /** A state could not be copied to its chunks. */
  synchronized void failed(State state) {
    residents.device.give(state.device, state.chunks);
    unused.push(state);
  }

  /**
   * These states lie in a room since an earlier process; nothing was stored yet. Of two states of a
   * step that of the faster room counts, which is found first.
   */
  synchronized void found(Room room, Collection<State> states) {
    room.claim(states);
    for (State state : states) {
      state.room = room;
      state.isBelow = true;
      state.isFound = true;
      if (index.find(state.step) == null) {
        index.add(state);
        upcoming.stored(state);
      } else {
        residents.free(state);
      }
    }
  }

  /** Drops what was found of other runs than this one, to which all later states belong. */
  synchronized void takeOver(UUID next) {
    run = next;
    index.all(state -> state.isFound && !state.run.equals(next)).forEach(state -> drop(state.step));
  }

  /** Drops all states, and waits until none is on its way. */
  synchronized void dropAll() {
    index.forgetLost();
    for (long step : index.steps()) {
      drop(step);
    }
    awaitMoves();
    residents.durable().forEach(room -> room.releaseAll());
  }

  /** Waits until no state is on its way. */
  synchronized void awaitMoves() {
    while (!descent.isStill() || ascent.isBusy()) {
      pause();
    }
  }

  synchronized long[] steps() {
    return index.steps();
  }

  /** The least step that does not outlive the process; one beyond the last step if all do. */
  synchronized long durableBelow() {
    State first = index.first(state -> !state.isDurable());
    long[] all = first == null ? index.steps() : new long[0];
    return first != null ? first.step : all.length == 0 ? 0 : all[all.length - 1] + 1;
  }

  synchronized void secure(long step) {
    State state = find(step);
    if (state != null) {
      descent.secure(state);
      notifyAll();
    }
  }

  synchronized long mark() {
    long mark = 0; // all rooms count alike
    for (Room room : residents.durable()) {
      mark = room.mark();
    }
    return mark;
  }

  synchronized void passed(long mark) {
    residents.durable().forEach(room -> room.passed(mark));
    notifyAll();
  }

  synchronized @Nullable State find(long step) {
    return index.find(step);
  }

  /** Where a state lies below the device; null if nowhere, or if it is on its way there. */
  synchronized @Nullable Shelf shelfOf(State state) {
    return state.isBelow ? state.requireRoom().shelf : null;
  }

  /**
   * Begins a read: the state stays where it is until {@link #endRead}. Waits for a state that is on
   * its way up.
   *
   * @throws HistoryException if the step is not stored
   */
  synchronized State beginRead(long step) {
    State state = find(step);
    if (state == null) {
      throw index.missing(step);
    }
    if (!reading) {
      reading = true;
      notifyAll();
    }
    hits += state.onDevice ? 1 : 0;
    misses += state.onDevice ? 0 : 1;
    if (!state.onDevice && state.moving) {
      long start = System.nanoTime();
      while (!state.onDevice && state.moving) {
        pause();
      }
      restoreWaits++;
      restoreWaitNanos += System.nanoTime() - start;
      if (find(step) != state) { // its chunks went meanwhile
        throw index.missing(step);
      }
    }
    state.pinned = true;
    residents.remove(state);
    if (!state.onDevice) {
      bytesPast += state.totalBytes();
    }
    return state;
  }

  /** Waits until no thread moves a state that the program reads. */
  synchronized void awaitStill(State state) {
    while (state.moving) {
      pause();
    }
  }

  /** Ends a read; {@code drops} it if it is not read again. */
  synchronized void endRead(State state, boolean read, boolean drops) {
    state.pinned = false;
    if (read) {
      upcoming.read(state);
    }
    if (drops) {
      drop(state.step);
    } else {
      residents.settle(state);
    }
    notifyAll();
  }

  /** Drops a step; does nothing if it is not stored. */
  synchronized void drop(long step) {
    index.isNotLost(step);
    State state = find(step);
    if (state != null) {
      index.remove(state);
      droppedUnwritten += state.isBelow || state.moving ? 0 : 1;
      state.dropped = true;
      if (!state.moving) {
        free(state);
      }
      notifyAll();
    }
  }

  /** A state is lost that nobody moves or reads. */
  synchronized void lose(State state) {
    drop(state.step);
    index.lose(state.step);
  }

  private void free(State state) {
    residents.free(state);
    unused.push(state);
  }

  /** The next state for a room, with chunks there; null at the end. Waits for one. */
  synchronized @Nullable State nextDown(Room room) {
    while (!closed) {
      State state = pollDown(room);
      if (state != null) {
        return state;
      }
      pause();
    }
    return null;
  }

  /** Like {@link #nextDown}, but never waits: null if none goes there now. */
  synchronized @Nullable State pollDown(Room room) {
    return closed ? null : descent.next(room, reading);
  }

  /** A state came to its room, or could not be written. */
  synchronized void down(State state, @Nullable IOException problem) {
    descent.ended(state, problem);
    if (!state.onDevice) {
      upcoming.left(state);
    }
    settleOrFree(state);
  }

  private void settleOrFree(State state) {
    if (state.dropped) {
      free(state);
    } else {
      residents.settle(state);
    }
    notifyAll();
  }

  /** The next state to come up from a room, with chunks on the device; null at the end. */
  synchronized @Nullable State nextUp(Room room) {
    while (!closed) {
      State state = reading ? ascent.next(room) : null;
      if (state != null) {
        return state;
      }
      pause();
    }
    return null;
  }

  /** A state came up, or could not be read. */
  synchronized void up(State state, boolean good) {
    ascent.ended(state, good);
    settleOrFree(state);
  }

  /** The chunks that it lends and borrows. */
  Lending lending() {
    return lending;
  }

  /** Whether the program began to read. The caller has the monitor. */
  boolean isReading() {
    return reading;
  }

  /** Whether it was closed. The caller has the monitor. */
  boolean isClosed() {
    return closed;
  }

  /** Ends all threads that wait for states. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  synchronized HistoryStats stats() {
    List<HistoryStats.Place> below =
        residents.rooms.stream().map(room -> room.stats(chunkBytes)).toList();
    HistoryStats.Place files =
        below.stream().filter(place -> place.level() == Level.NODE).findFirst().orElseThrow();
    return new HistoryStats(
        below.stream().mapToLong(HistoryStats.Place::bytesDown).sum(),
        below.stream().mapToLong(HistoryStats.Place::bytesUp).sum(),
        bytesPast,
        hits,
        misses,
        storeWaits,
        storeWaitNanos,
        restoreWaits,
        restoreWaitNanos,
        (long) residents.device.used() * chunkBytes,
        files.bytes(),
        (long) residents.device.peak() * chunkBytes,
        files.peakBytes(),
        droppedUnwritten,
        index.lost(),
        below);
  }

  /**
   * Waits for a change; the caller has the monitor. An interruption is kept for later: a copy under
   * way must end first.
   */
  void pause() {
    pause(0);
  }

  /** Like the other, for so many milliseconds at most; 0 is for ever. */
  @SuppressWarnings("WaitNotInLoop") // each caller waits in a loop
  private void pause(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HistoryException("interrupted while waiting for the history", e);
    }
  }
}
