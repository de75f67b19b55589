package io.cairn.engine.runtime;

import io.cairn.core.threads.DaemonThreads;
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
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens STORE when a process starts, with the same tolerance as in training: a store that was used
 * before, and can be read but not written now, serves what it has. One that is out of reach is
 * tried for {@code store.patience}. One that does not answer a try within that time, and half a
 * minute at least, hangs. Thread-safe.
 *
 * @param where the store, for messages
 * @param probed opens it, and probes it
 * @param unprobed opens it as it is, if it exists
 * @param patience how long it is tried
 */
public record StoreOpening(String where, Opening probed, Opening unprobed, Duration patience) {
  private static final Logger LOG = LoggerFactory.getLogger(StoreOpening.class);
  private static final String THREAD = "cairn-store-open";
  private static final Duration SHORTEST_TRY = Duration.ofSeconds(30);
  private static final long REPORTED_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * The open store; the caller closes it.
   *
   * @throws IOException if it cannot be used, or not within the patience, or hangs
   */
  public CheckpointStore open() throws IOException {
    return open(Waits.REAL, System::nanoTime);
  }

  CheckpointStore open(Waits waits, LongSupplier nanoTime) throws IOException {
    StoreWait wait = new StoreWait("STORE " + where, patience, nanoTime);
    while (true) {
      try {
        return answered(waits);
      } catch (StoreUnavailableException e) {
        OptionalLong pause = wait.failed(e);
        if (pause.isEmpty()) {
          throw e;
        }
        sleep(waits, pause.getAsLong());
      }
    }
  }

  /** The most time that a store has for its answer to one try. */
  public Duration longestTry() {
    return patience.compareTo(SHORTEST_TRY) < 0 ? SHORTEST_TRY : patience;
  }

  /** One try, on a thread of its own: no call of a client is sure to end. */
  private CheckpointStore answered(Waits waits) throws IOException {
    CompletableFuture<CheckpointStore> answer = new CompletableFuture<>();
    Thread trying = DaemonThreads.unstarted(THREAD, () -> tryInto(answer));
    trying.start();
    try {
      long waitedNanos = 0;
      while (!waits.await(answer, REPORTED_EVERY_NANOS)) {
        waitedNanos += REPORTED_EVERY_NANOS;
        requireTime(waitedNanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    } finally {
      if (answer.completeExceptionally(new IOException("nobody waits any more"))) {
        trying.interrupt();
      }
    }
    return result(answer);
  }

  private void requireTime(long waitedNanos) throws IOException {
    long waited = TimeUnit.NANOSECONDS.toSeconds(waitedNanos);
    long most = longestTry().toSeconds();
    if (waited >= most) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "STORE %s has not answered for %d s: its name node or network hangs. Its log and"
                  + " bin/cairn list tell more; store.patience bounds this wait",
              where,
              waited));
    }
    LOG.warn("STORE {} has not answered for {} s, and has {} s in all", where, waited, most);
  }

  private void tryInto(CompletableFuture<CheckpointStore> answer) {
    try {
      CheckpointStore store = now();
      if (!answer.complete(store)) {
        store.close();
      }
    } catch (Throwable e) { // the thread that waits throws it
      boolean unused = answer.completeExceptionally(e);
    }
  }

  private CheckpointStore result(CompletableFuture<CheckpointStore> answer) throws IOException {
    try {
      CheckpointStore store = answer.get();
      LOG.info("STORE {} has answered", where);
      return store;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException io) {
        throw io;
      } else if (cause instanceof RuntimeException runtime) {
        throw runtime;
      } else if (cause instanceof Error error) {
        throw error;
      }
      throw new IOException(cause);
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
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException e) {
    return (InterruptedIOException)
        new InterruptedIOException("interrupted while STORE was opened").initCause(e);
  }
}
