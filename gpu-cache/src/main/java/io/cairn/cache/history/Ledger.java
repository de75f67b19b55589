package io.cairn.cache.history;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Where each state lies, which one leaves, and which one comes. Thread-safe: its monitor guards all
 * states, and no thread moves bytes while it holds the monitor.
 *
 * <p>A state that lies on the device alone is dirty, one that lies in the files too is clean. Clean
 * ones leave for others, the one that is read last first. Dirty ones are written in the same order,
 * as long as the steps to come would not fit otherwise. So states that fit to the end are never
 * written.
 */
final class Ledger {
  /** Any state may leave, whenever it is read. */
  private static final long ANY = -1;

  private final Upcoming upcoming = new Upcoming();
  private final Residents residents;
  private final StepIndex index = new StepIndex();
  private final Expectation expectation;
  private final int chunkBytes;
  private final LedgerCounts counts = new LedgerCounts();
  private final Deque<State> unused = new ArrayDeque<>();

  /** States that are written whether there is room or not. */
  private final Deque<State> secured = new ArrayDeque<>();

  private int writingChunks;
  private int rising;

  /** Chunks that a store waits for, or 0. */
  private int waitingChunks;

  private boolean reading;
  private boolean closed;
  private @Nullable IOException failure;

  /**
   * Nothing is stored.
   *
   * @param holds whether chunks of files are kept until their mark is passed
   */
  Ledger(HistorySettings settings, boolean holds) {
    residents = new Residents(settings, upcoming, holds);
    chunkBytes = settings.chunkBytes();
    expectation = new Expectation(chunkBytes, settings.deviceChunks());
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
    residents.device.take(state.device, chunks);
    expectation.begun(chunks);
    return state;
  }

  private void awaitRoom(long step, int chunks) {
    long start = System.nanoTime();
    failure = null;
    waitingChunks = chunks;
    try {
      while (!residents.makeRoom(chunks, ANY)) {
        State next = residents.lastDirty();
        boolean fits = next != null && residents.filesFor() >= next.chunks;
        if (writingChunks == 0 && rising == 0 && (failure != null || !fits)) {
          throw full(step, chunks);
        }
        notifyAll();
        pause();
      }
    } finally {
      waitingChunks = 0;
      counts.storeWaited(System.nanoTime() - start);
    }
  }

  private HistoryException full(long step, int chunks) {
    String message =
        ("no room for step %d: it needs %d chunks of %d bytes, free are %s; give the history more,"
                + " or use a schedule that runs steps again")
            .formatted(step, chunks, chunkBytes, residents.room());
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

  /** These states lie in the files since an earlier process; nothing else is stored. */
  synchronized void found(Collection<State> states) {
    BitSet chunks = new BitSet();
    for (State state : states) {
      for (int i = 0; i < state.chunks; i++) {
        chunks.set(state.file[i]);
      }
      state.inFile = true;
      index.add(state);
      upcoming.stored(state);
    }
    residents.files.claim(chunks);
  }

  synchronized long[] steps() {
    return index.steps();
  }

  synchronized void secure(long step) {
    State state = find(step);
    if (state != null && !state.inFile) {
      secured.add(state);
      notifyAll();
    }
  }

  synchronized long mark() {
    return residents.held.mark();
  }

  synchronized void passed(long mark) {
    residents.held.passed(mark);
    notifyAll();
  }

  synchronized @Nullable State find(long step) {
    return index.find(step);
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
      throw new HistoryException("step " + step + " is not stored");
    }
    if (!reading) {
      reading = true;
      notifyAll();
    }
    counts.restored(state.onDevice);
    if (!state.onDevice && state.moving) {
      long start = System.nanoTime();
      while (!state.onDevice && state.moving) {
        pause();
      }
      counts.restoreWaited(System.nanoTime() - start);
    }
    state.pinned = true;
    residents.remove(state);
    if (!state.onDevice) {
      counts.past(state.totalBytes());
    }
    return state;
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
    State state = find(step);
    if (state != null) {
      index.remove(state);
      counts.dropped(state.inFile || state.moving);
      state.dropped = true;
      if (!state.moving) {
        free(state);
      }
      notifyAll();
    }
  }

  private void free(State state) {
    residents.free(state);
    unused.push(state);
  }

  /** The next state to be written, with room in the files; null at the end. Waits for one. */
  synchronized @Nullable State nextDown() {
    while (!closed) {
      State state = failure == null ? nextToWrite() : null;
      if (state != null && residents.takeFiles(state)) {
        residents.remove(state);
        state.moving = true;
        writingChunks += state.chunks;
        return state;
      }
      pause();
    }
    return null;
  }

  private @Nullable State nextToWrite() {
    for (State first = secured.peek(); first != null; first = secured.peek()) {
      // A state that was written, dropped or used again since is no longer asked for.
      if (first.onDevice && !first.inFile && !first.moving && !first.dropped) {
        return first;
      }
      secured.remove();
    }
    long wanted = Math.max(waitingChunks, expectation.chunks(reading));
    return residents.available() + writingChunks < wanted ? residents.lastDirty() : null;
  }

  /** A state was written, or could not be. */
  synchronized void down(State state, @Nullable IOException problem) {
    state.moving = false;
    writingChunks -= state.chunks;
    state.inFile = problem == null;
    if (problem != null) {
      failure = problem;
      residents.files.give(state.file, state.chunks);
    } else {
      counts.down(state.totalBytes());
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

  /** The next state to be brought up, with room on the device; null at the end. Waits for one. */
  synchronized @Nullable State nextUp() {
    while (!closed) {
      State state = reading ? nextRead() : null;
      if (state != null && residents.take(state, state.key)) {
        state.moving = true;
        rising++;
        return state;
      }
      pause();
    }
    return null;
  }

  /** The first state in the order of reads that lies in the files alone. */
  private @Nullable State nextRead() {
    for (long step = upcoming.step(); step >= 0; step = nextStep()) {
      State state = find(step);
      if (state != null
          && state.inFile
          && !state.onDevice
          && !state.moving
          && !state.pinned
          && !state.unreadable) {
        return state;
      }
    }
    return null;
  }

  private long nextStep() {
    upcoming.serve();
    return upcoming.step();
  }

  /** A state was brought up, or could not be. */
  synchronized void up(State state, boolean good) {
    state.moving = false;
    rising--;
    if (good) {
      state.onDevice = true;
      counts.up(state.totalBytes());
    } else {
      state.unreadable = true;
      residents.device.give(state.device, state.chunks);
    }
    settleOrFree(state);
  }

  /** Ends both threads. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  synchronized HistoryStats stats() {
    return counts.stats(residents.device, residents.files, chunkBytes);
  }

  /** Waits for a change. An interruption is kept for later: a copy under way must end first. */
  @SuppressWarnings("WaitNotInLoop") // each caller waits in a loop
  private void pause() {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HistoryException("interrupted while waiting for the history", e);
    }
  }
}
