package io.cairn.cache.memory.cuda;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The calls of a device that run now, so that nothing is freed under them. Calls of one thread may
 * nest. Thread-safe.
 */
final class RunningCalls {
  /** Each call is a reader, and the end is the one writer, which never leaves. */
  private final ReentrantReadWriteLock calls = new ReentrantReadWriteLock();

  /** Begins a call, which the thread ends once; false if none may begin any more. Never blocks. */
  boolean begin() {
    return calls.readLock().tryLock();
  }

  void end() {
    calls.readLock().unlock();
  }

  /** Whether {@link #endAll} has ended them, so that no other thread begins one. */
  boolean areEnded() {
    return calls.isWriteLocked();
  }

  /**
   * Waits until no call runs. From then on the calling thread alone begins calls.
   *
   * @return whether all calls ended in time; if not, calls may begin as before
   */
  boolean endAll(Duration patience) throws InterruptedException {
    return calls.writeLock().tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
  }
}
