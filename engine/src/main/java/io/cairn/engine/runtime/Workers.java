package io.cairn.engine.runtime;

import io.cairn.engine.coordination.CommitThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a process, one per kind of work but commits, and the order in which they end. They
 * are daemons, so they keep no process alive. The stages of the levels have threads of their own.
 * Submitting work is thread-safe; only the closing thread ends them.
 */
final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
  private static final long GRACE_NANOS = 1_000_000_000;

  private final LongSupplier nanoTime;
  private final ExecutorService coordinators = daemon("cairn-coordinator");
  private final ExecutorService committer = CommitThreads.open();
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

  /** Handles the events of coordinators; never waits. */
  Executor coordinators() {
    return coordinators;
  }

  /** Claims epochs and commits. */
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

  /** Drops searches, and waits for captures under way, at most until {@code endNanos}. */
  void endCaptures(long endNanos) {
    searcher.shutdownNow();
    completer.shutdown();
    await("captures", completer, endNanos);
  }

  /** Waits for queued events, for the commits that they cause, and for the results of those. */
  void endCoordination(long endNanos) {
    // events that are queued may cause commits, and each commit sends its result as an event
    coordinators.execute(committer::shutdown);
    await("commits", committer, endNanos);
    coordinators.shutdown();
    await("coordinators", coordinators, endNanos);
  }

  /** Ends queued work, so that nothing uses a store or a device that is closed. */
  private void await(String what, ExecutorService executor, long endNanos) {
    try {
      // an idle executor ends at once, even when the time is over
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
