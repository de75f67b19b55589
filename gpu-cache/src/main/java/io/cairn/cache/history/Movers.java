package io.cairn.cache.history;

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
  private final @Nullable Journal journal;
  private final int chunkBytes;
  private final List<Thread> threads = new ArrayList<>();

  Movers(Ledger ledger, Storage storage, int chunkBytes) {
    this.ledger = ledger;
    this.chunkBytes = chunkBytes;
    journal = storage.journal();
    StateMemory memory = storage.memory();
    for (Room room : storage.rooms()) {
      add(() -> down(room, memory.transfer()), "cairn-history-down-" + room.number);
      add(() -> up(room, memory.transfer()), "cairn-history-ahead-" + room.number);
    }
  }

  private void add(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    threads.add(thread);
  }

  void start() {
    threads.forEach(Thread::start);
  }

  private void down(Room room, StateMemory.Transfer transfer) {
    for (State state = ledger.nextDown(room); state != null; state = ledger.nextDown(room)) {
      @Nullable IOException problem = null;
      try {
        write(state, room, transfer);
      } catch (IOException | RuntimeException e) {
        problem = e instanceof IOException io ? io : new IOException(e);
        LOG.warn("step {} did not come to {}; it stays", state.step, room.shelf.name(), e);
      }
      ledger.down(state, problem);
    }
  }

  private void write(State state, Room room, StateMemory.Transfer transfer) throws IOException {
    Journal durable = room.isDurable() ? journal : null;
    if (durable != null) {
      durable.begin(state);
    }
    Shelf source = room.source();
    if (source == null) {
      transfer.write(state, room.shelf);
    } else {
      copy(source, room.sourceChunks(), state, room.shelf);
    }
    if (durable != null) {
      durable.end(state);
    }
  }

  /** Copies a state from one shelf to another; rare, so it takes a new buffer. */
  private void copy(Shelf from, int[] chunks, State state, Shelf to) throws IOException {
    ByteBuffer staging = ByteBuffer.allocateDirect(chunkBytes);
    for (int i = 0; i < state.chunks; i++) {
      from.read(chunks[i], staging.clear());
      to.write(state.below[i], staging.clear());
    }
  }

  private void up(Room room, StateMemory.Transfer transfer) {
    for (State state = ledger.nextUp(room); state != null; state = ledger.nextUp(room)) {
      boolean good = false;
      try {
        transfer.read(state, room.shelf);
        good = true;
      } catch (IOException | RuntimeException e) {
        LOG.warn(
            "step {} did not come up; its restore will read {}", state.step, room.shelf.name(), e);
      }
      ledger.up(state, good);
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
