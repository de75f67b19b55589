package io.cairn.spark.ui.collect;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.spark.ui.model.Round;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the rounds of a process on a thread of its own: one per second in its first five minutes,
 * then one per ten seconds, since Spark's event log keeps all of them. Thread-safe.
 */
public final class RoundSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RoundSender.class);
  private static final String THREAD = "cairn-rounds";
  private static final long OFTEN_MILLIS = 1_000;
  private static final long SELDOM_MILLIS = 10_000;

  /** Rounds that are sent often. */
  private static final int OFTEN = 300;

  private final RoundCollector collector;
  private final Figures figures;
  private final Consumer<Round> sink;
  private final ScheduledExecutorService executor;
  private int sent;

  /**
   * Begins to send.
   *
   * @param sink takes rounds; what it throws is logged, and the round is lost
   */
  public RoundSender(RoundCollector collector, Figures figures, Consumer<Round> sink) {
    this.collector = collector;
    this.figures = figures;
    this.sink = sink;
    this.executor = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(THREAD));
    later();
  }

  private void later() {
    try {
      Runnable next = DaemonThreads.watched(THREAD, this::next);
      var unused = executor.schedule(next, delayMillis(sent), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The last round was sent", e);
    }
  }

  /** The time until the next round, after this many. */
  static long delayMillis(int sent) {
    return sent < OFTEN ? OFTEN_MILLIS : SELDOM_MILLIS;
  }

  private void next() {
    send();
    later();
  }

  private synchronized void send() {
    sent = Math.min(sent + 1, OFTEN);
    try {
      collector.take(figures).ifPresent(sink);
    } catch (RuntimeException e) {
      LOG.warn("A round of figures for Spark's UI was not sent", e);
    }
  }

  /** Sends a last round, and ends. Idempotent. */
  @Override
  public void close() {
    if (!executor.isShutdown()) {
      executor.shutdown();
      send();
    }
  }
}
