package io.cairn.spark.ui.collect;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.spark.metrics.ProcessTotals;
import io.cairn.spark.ui.Report;
import io.cairn.spark.ui.model.Round;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the reports of a process on a thread of its own, if they say something new. Totals go every
 * five seconds, and again until they are taken. Rounds go once a second in the first five minutes,
 * then every ten seconds, since Spark's event log keeps all of them. Thread-safe.
 */
public final class ReportSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReportSender.class);
  private static final String THREAD = "cairn-reports";

  /** As long as a driver that answers takes at most. */
  private static final long NOW_MILLIS = 5_000;

  private static final long OFTEN_MILLIS = 1_000;
  private static final long SELDOM_MILLIS = 5_000;

  /** Turns that come often. */
  private static final int OFTEN = 300;

  private final Supplier<Optional<ProcessTotals>> totals;
  private final Supplier<Optional<Round>> rounds;
  private final Predicate<Report> sink;
  private final Runnable lost;
  private final ScheduledThreadPoolExecutor executor;
  private int turn;
  private @Nullable ProcessTotals taken;

  /**
   * Begins to send.
   *
   * @param totals of the process now; empty if it sends none
   * @param rounds gives the news since the last call
   * @param sink whether the report was taken; what it throws is logged. Else the totals are sent
   *     again, and the round is lost
   * @param lost learns of each such round
   */
  public ReportSender(
      Supplier<Optional<ProcessTotals>> totals,
      Supplier<Optional<Round>> rounds,
      Predicate<Report> sink,
      Runnable lost) {
    this.totals = totals;
    this.rounds = rounds;
    this.sink = sink;
    this.lost = lost;
    this.executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(THREAD));
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    later();
  }

  private synchronized void later() {
    try {
      Runnable next = DaemonThreads.watched(THREAD, this::next);
      var unused = executor.schedule(next, delayMillis(turn), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The last report was sent", e);
    }
  }

  /** The time from a turn to the next one. */
  static long delayMillis(int turn) {
    return turn < OFTEN ? OFTEN_MILLIS : SELDOM_MILLIS;
  }

  /** Whether totals go at a turn, of which the first is 1. */
  static boolean hasTotals(int turn) {
    return turn > OFTEN || turn % 5 == 0;
  }

  /** Whether a round goes at a turn. */
  static boolean hasRound(int turn) {
    return turn <= OFTEN || turn % 2 == 0;
  }

  private void next() {
    try {
      takeTurn();
    } finally {
      later(); // an error ends no later report
    }
  }

  /** Sends what is due at the next turn. */
  synchronized void takeTurn() {
    turn++;
    send(hasTotals(turn), hasRound(turn));
  }

  private void send(boolean ofTotals, boolean ofRound) {
    ProcessTotals now = ofTotals ? part(totals) : null;
    ProcessTotals news = now != null && now.equals(taken) ? null : now;
    Round round = null;
    try {
      round = ofRound ? part(rounds) : null;
    } finally {
      send(news, round); // also after an error in the page's code
    }
  }

  private void send(@Nullable ProcessTotals news, @Nullable Round round) {
    if (news == null && round == null) {
      return;
    }
    boolean arrived = false;
    try {
      arrived = sink.test(new Report(news, round));
    } catch (RuntimeException e) {
      LOG.warn("The report of this process was not sent", e);
    } finally {
      if (!arrived && round != null) {
        lost.run();
      }
    }
    taken = arrived && news != null ? news : taken;
  }

  /** One part fails alone. */
  private static <T> @Nullable T part(Supplier<Optional<T>> now) {
    try {
      return now.get().orElse(null);
    } catch (RuntimeException e) {
      LOG.warn("A part is missing in a report of this process", e);
      return null;
    }
  }

  /**
   * Sends a report now, and waits some seconds for the sink to take it. A task calls this at its
   * end, so it throws nothing.
   */
  public void now() {
    now(NOW_MILLIS);
  }

  /** Likewise, for this time at most. */
  void now(long mostMillis) {
    try {
      // on that thread, since a sink that hangs would hold the tasks that end one after another
      Future<?> sent = executor.submit(DaemonThreads.watched(THREAD, this::sendNow));
      await(sent, mostMillis);
    } catch (RejectedExecutionException e) {
      LOG.debug("The last report was sent", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      DaemonThreads.report(THREAD, e);
    }
  }

  private static void await(Future<?> sent, long mostMillis) throws InterruptedException {
    try {
      sent.get(mostMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.debug("The report at the end of a task takes long", e);
      boolean unused = sent.cancel(false); // the next report says it
    } catch (ExecutionException e) {
      LOG.debug("The report at the end of a task failed", e); // which its thread reported
    }
  }

  private synchronized void sendNow() {
    if (!executor.isShutdown()) {
      send(true, true);
    }
  }

  /** Whether no turn comes any more, after {@link #close}. */
  boolean awaitEnd() throws InterruptedException {
    return executor.awaitTermination(1, TimeUnit.MINUTES);
  }

  /** Sends a last report, and ends. Idempotent. */
  @Override
  public synchronized void close() {
    if (!executor.isShutdown()) {
      executor.shutdown();
      send(true, true);
    }
  }
}
