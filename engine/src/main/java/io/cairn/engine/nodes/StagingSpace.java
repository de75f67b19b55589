package io.cairn.engine.nodes;

import java.io.InterruptedIOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the bytes that a staging server asked owners for and has not handed on yet, and keeps them
 * below a bound. Threads that wait are served in their order. Thread-safe.
 */
final class StagingSpace {
  private final long mostBytes;
  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition given = lock.newCondition();
  private long used;
  private long peak;
  private long waits;

  /** No bytes so far, and never more than these. */
  StagingSpace(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Takes room, waiting until there is some. A thread that holds room must not call this.
   *
   * @param bytes at most the bound
   * @throws InterruptedIOException if the thread is interrupted
   */
  void take(long bytes) throws InterruptedIOException {
    lock.lock();
    try {
      waits += used + bytes > mostBytes ? 1 : 0;
      while (used + bytes > mostBytes) {
        given.await();
      }
      add(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while memory was full").initCause(e);
    } finally {
      lock.unlock();
    }
  }

  /** Takes room if there is some that no thread waits for. */
  boolean tryTake(long bytes) {
    lock.lock();
    try {
      boolean free = used + bytes <= mostBytes && !lock.hasWaiters(given);
      if (free) {
        add(bytes);
      }
      return free;
    } finally {
      lock.unlock();
    }
  }

  private void add(long bytes) {
    used += bytes;
    peak = Math.max(peak, used);
  }

  /** Returns room that was taken. */
  void give(long bytes) {
    lock.lock();
    try {
      used -= bytes;
      given.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The bytes that are taken now. */
  long usedBytes() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  /** The most bytes that were taken at once. */
  long peakBytes() {
    lock.lock();
    try {
      return peak;
    } finally {
      lock.unlock();
    }
  }

  /** How often a thread had to wait for room. */
  long waits() {
    lock.lock();
    try {
      return waits;
    } finally {
      lock.unlock();
    }
  }
}
