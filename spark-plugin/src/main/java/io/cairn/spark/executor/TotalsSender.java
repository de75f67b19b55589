package io.cairn.spark.executor;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.spark.metrics.ProcessTotals;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the totals of a process to the driver every five seconds, if they have changed, on a thread
 * of its own. Thread-safe.
 */
final class TotalsSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TotalsSender.class);
  private static final String THREAD = "cairn-metrics";
  private static final long EVERY_SECONDS = 5;

  private final Supplier<ProcessTotals> totals;
  private final Predicate<byte[]> sink;
  private final ScheduledExecutorService thread;
  private @Nullable ProcessTotals sent;

  /**
   * Begins to send.
   *
   * @param sink whether the driver has taken them; else they are sent again
   */
  TotalsSender(Supplier<ProcessTotals> totals, Predicate<byte[]> sink) {
    this.totals = totals;
    this.sink = sink;
    this.thread = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(THREAD));
    var unused =
        thread.scheduleWithFixedDelay(
            DaemonThreads.watched(THREAD, this::send),
            EVERY_SECONDS,
            EVERY_SECONDS,
            TimeUnit.SECONDS);
  }

  /** Sends the present totals, unless the driver has them. */
  synchronized void send() {
    try {
      ProcessTotals now = totals.get();
      if (!now.equals(sent) && sink.test(now.encode())) {
        sent = now;
      }
    } catch (RuntimeException e) {
      LOG.warn("The metrics of this process were not sent to the driver", e);
    }
  }

  /** Sends the last totals, and ends. Idempotent. */
  @Override
  public void close() {
    if (!thread.isShutdown()) {
      thread.shutdown();
      send();
    }
  }
}
