package io.cairn.engine.runtime;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process's own threads, one per kind of work, and the order in which they end. Daemons, so that
 * they keep no process alive. The stages that lead down have threads of their own. Handing work
 * over is thread-safe; ending is for the one who closes.
 */
final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
  private static final long GRACE_NANOS = 1_000_000_000;

  private final LongSupplier nanoTime;
  private final ExecutorService coordinators = daemon("cairn-coordinator");
  private final ExecutorService committer = daemon("cairn-commit");
  private final ExecutorService searcher = daemon("cairn-cadence");
  private final ExecutorService completer = daemon("cairn-capture");

  /** Starts no thread before there is work; waits by this clock, as {@link System#nanoTime}. */
  Workers(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private static ExecutorService daemon(String name) {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Handles the coordinators' events; never waits. */
  Executor coordinators() {
    return coordinators;
  }

  /** Takes epochs and commits. */
  Executor committer() {
    return committer;
  }

  /** Searches cadences, for up to some seconds each. */
  Executor searcher() {
    return searcher;
  }

  /** Ends captures on devices that copy later. */
  Executor completer() {
    return completer;
  }

  /** Drops searches, and waits for the captures that were begun, but not longer than the end. */
  void endCaptures(long endNanos) {
    searcher.shutdownNow();
    completer.shutdown();
    await("captures", completer, endNanos);
  }

  /** Waits for the commits that follow from what coordinators have heard, and for what follows. */
  void endCoordination(long endNanos) {
    // what coordinators have heard may lead to commits, and what commits lead to is told to them
    coordinators.execute(committer::shutdown);
    await("commits", committer, endNanos);
    coordinators.shutdown();
    await("coordinators", coordinators, endNanos);
  }

  /** Ends what is queued, so that nothing works on a store or a device that is closed. */
  private void await(String what, ExecutorService executor, long endNanos) {
    try {
      // what is done ends at once, even when the time is over
      long left = Math.max(endNanos - nanoTime.getAsLong(), GRACE_NANOS);
      if (!executor.awaitTermination(left, TimeUnit.NANOSECONDS)) {
        LOG.warn("The {} did not end in time", what);
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      executor.shutdownNow();
    }
  }
}
