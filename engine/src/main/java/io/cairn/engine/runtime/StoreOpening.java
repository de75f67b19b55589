package io.cairn.engine.runtime;

import io.cairn.engine.coordination.StoreWait;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.LateStore.Opening;
import io.cairn.flush.store.StoreUnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens STORE when a process starts, with the same tolerance as in training: a store that was used
 * before, and can be read but not written now, serves what it has. One that is out of reach is
 * tried for {@code store.patience}. Thread-safe.
 *
 * @param where the store, for messages
 * @param probed opens it, and probes it
 * @param unprobed opens it as it is, if it exists
 * @param patience how long it is tried
 */
public record StoreOpening(String where, Opening probed, Opening unprobed, Duration patience) {
  private static final Logger LOG = LoggerFactory.getLogger(StoreOpening.class);

  /**
   * The open store; the caller closes it.
   *
   * @throws IOException if it cannot be used, or not within the patience
   */
  public CheckpointStore open() throws IOException {
    return open(Waits.REAL, System::nanoTime);
  }

  CheckpointStore open(Waits waits, LongSupplier nanoTime) throws IOException {
    StoreWait wait = new StoreWait("STORE " + where, patience, nanoTime);
    while (true) {
      try {
        return now();
      } catch (StoreUnavailableException e) {
        OptionalLong pause = wait.failed(e);
        if (pause.isEmpty()) {
          throw e;
        }
        sleep(waits, pause.getAsLong());
      }
    }
  }

  /**
   * Opens the store at once, or fails.
   *
   * @throws StoreUnavailableException if a later try may succeed
   */
  public CheckpointStore now() throws IOException {
    try {
      return probed.open();
    } catch (StoreUnavailableException e) {
      return used(e);
    }
  }

  /** A store with a name was probed when it got it. */
  private CheckpointStore used(StoreUnavailableException unavailable) throws IOException {
    CheckpointStore store;
    try {
      store = unprobed.open();
    } catch (IOException e) {
      unavailable.addSuppressed(e);
      throw unavailable;
    }
    try {
      requireName(store);
    } catch (IOException | RuntimeException e) {
      store.close();
      unavailable.addSuppressed(e);
      throw unavailable;
    }
    LOG.warn(
        "Checkpoints can be restored from STORE, and fail there until it can be written",
        unavailable);
    return store;
  }

  private static void requireName(CheckpointStore store) throws IOException {
    try {
      String unused = StoreIdentity.known(store);
    } catch (FormatException e) {
      LOG.debug("{} has a damaged name, and had a good one", store.describe(), e);
    } catch (NoSuchFileException e) {
      throw new IOException(store.describe() + " was never used", e);
    }
  }

  private static void sleep(Waits waits, long millis) throws IOException {
    try {
      waits.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while STORE was opened").initCause(e);
    }
  }
}
