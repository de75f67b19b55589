package io.cairn.engine.runtime;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.coordination.CoordinatorThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a process, and the order in which they end. They are daemons, so they keep no
 * process alive. The stages of the levels have threads of their own. Submitting work is
 * thread-safe; only the closing thread ends them.
 */
final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
  private static final long GRACE_NANOS = 1_000_000_000;

  private final LongSupplier nanoTime;
  private final CoordinatorThreads coordination;
  private final ExecutorService completer =
      Executors.newSingleThreadExecutor(DaemonThreads.named("cairn-capture"));

  /** Starts no thread before there is work; waits by this clock, as {@link System#nanoTime}. */
  Workers(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.coordination = new CoordinatorThreads(nanoTime);
  }

  /** Those of coordinators. */
  CoordinatorThreads coordination() {
    return coordination;
  }

  /** Ends captures on devices that copy later. */
  Executor completer() {
    return completer;
  }

  /** Drops searches, and waits for captures under way, at most until {@code endNanos}. */
  void endCaptures(long endNanos) {
    coordination.endSearches();
    completer.shutdown();
    try {
      // an idle thread ends at once, even when the time is over
      long left = Math.max(endNanos - nanoTime.getAsLong(), GRACE_NANOS);
      if (!completer.awaitTermination(left, TimeUnit.NANOSECONDS)) {
        LOG.warn("The captures did not end in time");
        completer.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      completer.shutdownNow();
    }
  }
}
