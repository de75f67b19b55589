package io.cairn.adjoint.history;

import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two threads for each room, which move states between it and the device until they are closed. */
final class Movers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Movers.class);

  private final Ledger ledger;
  private final int chunkBytes;
  private final List<Thread> threads = new ArrayList<>();

  Movers(Ledger ledger, Storage storage, int chunkBytes) {
    this.ledger = ledger;
    this.chunkBytes = chunkBytes;
    StateMemory memory = storage.memory();
    for (Room room : storage.rooms()) {
      StateMemory.Transfer down = memory.transfer();
      StateMemory.Transfer up = memory.transfer();
      ByteBuffer staging = ByteBuffer.allocateDirect(chunkBytes);
      add(() -> down(room, down, staging), "cairn-history-down-" + room.number);
      add(() -> up(room, up), "cairn-history-ahead-" + room.number);
    }
  }

  private void add(Runnable task, String name) {
    threads.add(DaemonThreads.unstarted(name, task));
  }

  void start() {
    threads.forEach(Thread::start);
  }

  private void down(Room room, StateMemory.Transfer transfer, ByteBuffer staging) {
    List<State> batch = new ArrayList<>();
    for (State first = ledger.nextDown(room); first != null; first = ledger.nextDown(room)) {
      batch.add(first);
      IOException problem = write(batch, room, transfer, staging);
      batch.forEach(state -> ledger.down(state, problem));
      batch.clear();
      room.shelf.tidy();
    }
  }

  /** Writes a state, and those that may follow it in one batch; returns why it could not. */
  private @Nullable IOException write(
      List<State> batch, Room room, StateMemory.Transfer transfer, ByteBuffer staging) {
    try {
      State next = batch.get(0);
      for (long bytes = 0; next != null; ) {
        write(next, room, transfer, staging);
        bytes += (long) next.chunks * chunkBytes;
        next = bytes < room.shelf.batchBytes() ? ledger.pollDown(room) : null;
        if (next != null) {
          batch.add(next);
        }
      }
      room.shelf.seal();
      return null;
    } catch (Throwable e) { // the program waits for this thread
      LOG.warn("{} did not come to {}; they stay", batch, room.shelf.name(), e);
      room.shelf.abandon();
      return e instanceof IOException io ? io : new IOException(e);
    }
  }

  private void write(State state, Room room, StateMemory.Transfer transfer, ByteBuffer staging)
      throws IOException {
    room.shelf.begin(state);
    Room source = state.source;
    if (source == null) {
      transfer.write(state, room.shelf);
    } else {
      copy(source.shelf, state, room.shelf, staging);
    }
    room.shelf.end(state);
  }

  /** Copies a state from one shelf to another. */
  private static void copy(Shelf from, State state, Shelf to, ByteBuffer staging)
      throws IOException {
    for (int i = 0; i < state.chunks; i++) {
      from.read(state.sourceChunks[i], staging.clear());
      to.write(state.below[i], staging.clear());
    }
  }

  private void up(Room room, StateMemory.Transfer transfer) {
    for (State state = ledger.nextUp(room); state != null; state = ledger.nextUp(room)) {
      boolean good = false;
      try {
        transfer.read(state, room.shelf);
        good = true;
      } catch (Throwable e) { // likewise
        LOG.warn(
            "step {} did not come up; its restore will read {}", state.step, room.shelf.name(), e);
      }
      ledger.up(state, good);
      room.shelf.tidy();
    }
  }

  /** Waits for the moves that are under way. */
  @Override
  public void close() {
    ledger.close();
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
