package io.cairn.flush.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that is opened when it can be. Until then every operation fails with the reason, and
 * tries to open the store again after a pause. The pause doubles from a second to half a minute.
 * Operations that arrive while one of them opens the store wait some seconds for its result. An
 * unreachable name node may take minutes to answer.
 */
public final class LateStore implements CheckpointStore {
  private static final Logger LOG = LoggerFactory.getLogger(LateStore.class);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final Duration OPENING_WAIT = Duration.ofSeconds(5);

  private final String where;
  private final Opening opening;
  private final LongSupplier nanoTime;
  private final Duration openingWait;
  private final ReentrantLock trying = new ReentrantLock();
  private volatile @Nullable CheckpointStore store;
  private volatile boolean closed;

  // guarded by the lock
  private @Nullable IOException failure;
  private long failedNanos;
  private long pauseNanos = FIRST_PAUSE_NANOS;

  /** Opens a store. */
  @FunctionalInterface
  public interface Opening {
    /** The open store; {@link LateStore#close} closes it. */
    CheckpointStore open() throws IOException;
  }

  /**
   * A store that is not open yet.
   *
   * @param where the store, for messages until it is open
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public LateStore(String where, Opening opening, LongSupplier nanoTime) {
    this(where, opening, nanoTime, OPENING_WAIT);
  }

  /**
   * Like the other constructor.
   *
   * @param openingWait how long an operation waits while another one opens the store
   */
  LateStore(String where, Opening opening, LongSupplier nanoTime, Duration openingWait) {
    this.openingWait = openingWait;
    this.where = where;
    this.opening = opening;
    this.nanoTime = nanoTime;
  }

  /**
   * Opens the store, unless it is open.
   *
   * @throws IOException with the reason, if it cannot be opened, or could not a moment ago
   */
  public void requireOpen() throws IOException {
    opened();
  }

  private CheckpointStore opened() throws IOException {
    CheckpointStore known = store;
    if (known != null) {
      return known;
    }
    lock();
    try {
      known = store;
      return known == null ? open() : known;
    } finally {
      trying.unlock();
    }
  }

  private void lock() throws IOException {
    try {
      if (!trying.tryLock(openingWait.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IOException(where + " is not open yet: its opening takes long");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while " + where + " was opened").initCause(e);
    }
  }

  private CheckpointStore open() throws IOException {
    requireDue();
    CheckpointStore fresh;
    try {
      fresh = opening.open();
    } catch (IOException e) {
      failedNanos = nanoTime.getAsLong();
      pauseNanos =
          failure == null ? FIRST_PAUSE_NANOS : Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
      failure = e;
      throw e;
    }
    if (failure != null) {
      LOG.info("{} is open now", fresh.describe());
    }
    store = fresh;
    if (closed) {
      fresh.close();
      throw new IOException(where + " is closed");
    }
    return fresh;
  }

  private void requireDue() throws IOException {
    if (closed) {
      throw new IOException(where + " is closed");
    }
    IOException before = failure;
    if (before != null && nanoTime.getAsLong() - failedNanos < pauseNanos) {
      throw new IOException(where + " is not open yet: " + before.getMessage(), before);
    }
  }

  @Override
  public String describe() {
    CheckpointStore known = store;
    return known == null ? where : known.describe();
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    return opened().create(path);
  }

  @Override
  public void publish(String from, String to) throws IOException {
    opened().publish(from, to);
  }

  @Override
  public boolean replace(String from, String to) throws IOException {
    return opened().replace(from, to);
  }

  @Override
  public StoreInput open(String path) throws IOException {
    return opened().open(path);
  }

  @Override
  public List<StoreEntry> list(String directory) throws IOException {
    return opened().list(directory);
  }

  @Override
  public boolean delete(String path) throws IOException {
    return opened().delete(path);
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    return opened().deleteDirectory(directory);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    CheckpointStore known = store;
    if (known != null) {
      known.close();
    }
  }
}
