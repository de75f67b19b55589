package io.cairn.cache.history;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The two threads that move states between device and files, until they are closed. */
final class Movers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Movers.class);

  private final Ledger ledger;
  private final StateMemory memory;
  private final Segments files;
  private final @Nullable Journal journal;
  private final Thread down = new Thread(this::down, "cairn-history-down");
  private final Thread up = new Thread(this::up, "cairn-history-ahead");

  Movers(Ledger ledger, StateMemory memory, Segments files, @Nullable Journal journal) {
    this.ledger = ledger;
    this.memory = memory;
    this.files = files;
    this.journal = journal;
  }

  void start() {
    for (Thread thread : new Thread[] {down, up}) {
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void down() {
    for (State state = ledger.nextDown(); state != null; state = ledger.nextDown()) {
      @Nullable IOException problem = null;
      try {
        write(state);
      } catch (IOException | RuntimeException e) {
        problem = e instanceof IOException io ? io : new IOException(e);
        LOG.warn("step {} was not written; it stays on the device", state.step, e);
      }
      ledger.down(state, problem);
    }
  }

  private void write(State state) throws IOException {
    if (journal == null) {
      memory.write(state, files);
    } else {
      journal.begin(state);
      memory.write(state, files);
      journal.end(state);
    }
  }

  private void up() {
    for (State state = ledger.nextUp(); state != null; state = ledger.nextUp()) {
      boolean good = false;
      try {
        memory.read(state, files);
        good = true;
      } catch (IOException | RuntimeException e) {
        LOG.warn("step {} was not brought up; its restore will read the file", state.step, e);
      }
      ledger.up(state, good);
    }
  }

  /** Waits for the moves that are under way. */
  @Override
  public void close() {
    ledger.close();
    boolean interrupted = false;
    for (Thread thread : new Thread[] {down, up}) {
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
