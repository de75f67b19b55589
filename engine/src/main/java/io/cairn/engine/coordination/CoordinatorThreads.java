package io.cairn.engine.coordination;

import io.cairn.core.threads.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads on which the coordinators of a process work, and their end. They are daemons, so they
 * keep no process alive, and none starts before there is work. Thread-safe.
 */
public final class CoordinatorThreads implements HostContext.Threads {
  private static final Logger LOG = LoggerFactory.getLogger(CoordinatorThreads.class);
  private static final long GRACE_NANOS = 1_000_000_000;

  private final LongSupplier nanoTime;
  private final ExecutorService events = daemon("cairn-coordinator");
  private final ExecutorService storing = CommitThreads.open();
  private final ExecutorService searching = daemon("cairn-cadence");
  private final Object lock = new Object();

  /** Events and stores that wait or run. Guarded by the lock. */
  private long underWay;

  /** Waits by this clock, as {@link System#nanoTime}. */
  public CoordinatorThreads(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private static ExecutorService daemon(String name) {
    return Executors.newSingleThreadExecutor(DaemonThreads.named(name));
  }

  @Override
  public Executor events() {
    return task -> start(events, task);
  }

  @Override
  public Executor storing() {
    return task -> start(storing, task);
  }

  @Override
  public Executor searching() {
    return searching;
  }

  private void start(Executor threads, Runnable task) {
    synchronized (lock) {
      underWay++;
    }
    try {
      threads.execute(
          () -> {
            try {
              task.run();
            } finally {
              ended();
            }
          });
    } catch (RejectedExecutionException e) {
      ended();
      throw e;
    }
  }

  private void ended() {
    synchronized (lock) {
      underWay--;
      lock.notifyAll();
    }
  }

  /** Drops the searches that wait or run. */
  public void endSearches() {
    searching.shutdownNow();
  }

  /**
   * Ends the threads. Waits for events, for the commits and marks that they cause, and for the
   * results of those, at most until {@code endNanos}, but a second if that time is over.
   */
  public void end(long endNanos) {
    endSearches();
    try {
      if (awaitIdle(Math.max(endNanos, nanoTime.getAsLong() + GRACE_NANOS))) {
        events.shutdown();
        storing.shutdown();
        return;
      }
      LOG.warn("The coordinators did not end in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    events.shutdownNow();
    storing.shutdownNow();
  }

  /**
   * Waits until no event, commit or mark waits or runs, at most until {@code endNanos}. A task that
   * another one causes is counted before that one ends, so no gap looks idle.
   *
   * @return whether it is so
   */
  public boolean awaitIdle(long endNanos) throws InterruptedException {
    synchronized (lock) {
      long left = endNanos - nanoTime.getAsLong();
      while (underWay > 0 && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(lock, left);
        left = endNanos - nanoTime.getAsLong();
      }
      return underWay == 0;
    }
  }
}
