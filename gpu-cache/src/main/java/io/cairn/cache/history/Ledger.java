package io.cairn.cache.history;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
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
  private final int chunkBytes;
  private final LedgerCounts counts = new LedgerCounts();
  private final Deque<State> unused = new ArrayDeque<>();
  private @Nullable State[] byStep = new State[1024];

  /** Steps that are still to be stored, or -1 if nobody said. */
  private long expectedSteps = -1;

  private long expectedBytes;
  private int writingChunks;
  private int rising;

  /** Chunks that a store waits for, or 0. */
  private int waitingChunks;

  private boolean reading;
  private boolean closed;
  private @Nullable IOException failure;

  Ledger(HistorySettings settings) {
    residents = new Residents(settings, upcoming);
    chunkBytes = settings.chunkBytes();
  }

  synchronized void expect(long steps, long bytesPerStep) {
    expectedSteps = steps;
    expectedBytes = bytesPerStep;
    reading = false;
    notifyAll();
  }

  synchronized void order(ReadOrder order) {
    upcoming.order(order);
    for (State state : byStep) {
      if (state != null) {
        upcoming.stored(state);
      }
    }
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
    if (chunks > residents.device.capacity()) {
      throw new HistoryException(
          "step %d needs %d chunks of %d bytes; the history has %d on the device: give it more"
              .formatted(step, chunks, chunkBytes, residents.device.capacity()));
    }
    if (!residents.makeRoom(chunks, ANY)) {
      awaitRoom(step, chunks);
    }
    State state = unused.isEmpty() ? new State() : unused.pop();
    state.begin(step, sizes, regions, chunkBytes);
    residents.device.take(state.device, chunks);
    if (expectedSteps > 0) {
      expectedSteps--;
      expectedBytes = Math.max(expectedBytes, (long) chunks * chunkBytes);
    }
    return state;
  }

  private void awaitRoom(long step, int chunks) {
    long start = System.nanoTime();
    failure = null;
    waitingChunks = chunks;
    try {
      while (!residents.makeRoom(chunks, ANY)) {
        State next = residents.lastDirty();
        boolean fits = next != null && residents.files.free() >= next.chunks;
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
        ("no room for step %d: it needs %d chunks of %d bytes, free are %d of %d on the device, and"
             + " %d of %d in files; give the history more, or use a schedule that runs steps again")
            .formatted(
                step,
                chunks,
                chunkBytes,
                residents.device.free(),
                residents.device.capacity(),
                residents.files.free(),
                residents.files.capacity());
    return failure == null ? new HistoryException(message) : new HistoryException(message, failure);
  }

  /** A state was copied to its chunks. */
  synchronized void stored(State state) {
    setStep(state);
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

  private void setStep(State state) {
    int at = (int) state.step;
    if (at >= byStep.length) {
      byStep =
          Arrays.copyOf(
              byStep,
              (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(at + 1L, 2L * byStep.length)));
    }
    byStep[at] = state;
  }

  synchronized @Nullable State find(long step) {
    return step < byStep.length ? byStep[(int) step] : null;
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
      byStep[(int) step] = null;
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
      State state = residents.lastDirty();
      if (state != null
          && failure == null
          && residents.available() + writingChunks < wanted()
          && residents.files.free() >= state.chunks) {
        residents.remove(state);
        residents.files.take(state.file, state.chunks);
        state.moving = true;
        writingChunks += state.chunks;
        return state;
      }
      pause();
    }
    return null;
  }

  /** Chunks that should be free, or become so without a write. */
  private long wanted() {
    int capacity = residents.device.capacity();
    if (expectedSteps < 0) {
      return Math.max(waitingChunks, reading ? 0 : capacity / 4);
    }
    long perStep = (expectedBytes + chunkBytes - 1) / chunkBytes;
    return perStep > 0 && expectedSteps > capacity / perStep
        ? capacity
        : Math.max(waitingChunks, perStep * expectedSteps);
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
    return counts.stats(
        (long) residents.device.peak() * chunkBytes, (long) residents.files.peak() * chunkBytes);
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
