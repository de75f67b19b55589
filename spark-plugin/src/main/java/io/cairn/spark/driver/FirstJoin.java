package io.cairn.spark.driver;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.spark.settings.JoinAnswer;
import io.cairn.spark.settings.JoinQuestion;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the driver's part at the first join of a rank, on a thread of its own: Spark's single
 * thread for messages of plugins must not wait for a store. A refusal is told for some seconds;
 * then the next join tries again. Thread-safe; {@link #answer} does not wait.
 */
final class FirstJoin implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FirstJoin.class);
  private static final String THREAD = "cairn-first-join";
  private static final long POLL_MILLIS = 100;
  private static final long REPORTED_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Executors without ranks ask the driver a hundred times a second in all. */
  private static final long PAUSE_PER_EXECUTOR_MILLIS = 10;

  private static final long SHORTEST_PAUSE_MILLIS = 1_000;
  private static final long LONGEST_PAUSE_MILLIS = 30_000;

  /** Later, an executor that asked has ended, or opens by a join of its own. */
  private static final long ASKS_WITHIN_NANOS =
      TimeUnit.MILLISECONDS.toNanos(2 * LONGEST_PAUSE_MILLIS);

  /** Opens the driver's part. */
  @FunctionalInterface
  interface Opening {
    /** The open part, which {@link FirstJoin} closes. */
    DriverParts open() throws IOException;
  }

  private final Opening opening;
  private final Duration longest;
  private final LongSupplier nanoTime;
  private final ThreadFactory threads;

  // guarded by this
  /** The executors without ranks and the time at which each asked last, in this order. */
  private final Map<String, Long> waiting = new LinkedHashMap<>();

  private @Nullable DriverParts parts;
  private @Nullable Thread thread;
  private long begunNanos;
  private @Nullable String refusal;
  private long refusedNanos;
  private boolean closed;

  /**
   * Nothing is open yet.
   *
   * @param longest how long an opening may last; later, ranks that join are refused
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  FirstJoin(Opening opening, Duration longest, LongSupplier nanoTime) {
    this(opening, longest, nanoTime, DaemonThreads.named(THREAD));
  }

  /** Likewise, on a thread that another makes. */
  FirstJoin(Opening opening, Duration longest, LongSupplier nanoTime, ThreadFactory threads) {
    this.opening = opening;
    this.longest = longest;
    this.nanoTime = nanoTime;
    this.threads = threads;
  }

  /** The driver's part; empty while it is not open. */
  synchronized Optional<DriverParts> parts() {
    return Optional.ofNullable(parts);
  }

  /**
   * Opens the part now, before any rank joins, and waits for it.
   *
   * @throws IOException if it cannot be opened, or not in the longest time
   */
  synchronized DriverParts openNow() throws IOException {
    LOG.info("The start of this application opens STORE and the driver's port");
    begin();
    long reported = begunNanos;
    try {
      while (thread != null && nanoTime.getAsLong() - begunNanos < longest.toNanos()) {
        if (nanoTime.getAsLong() - reported >= REPORTED_NANOS) {
          reported = nanoTime.getAsLong();
          LOG.warn("The start waits for STORE and the driver's port, on thread {}", THREAD);
        }
        wait(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while STORE was opened", e);
    }
    if (parts != null) {
      return parts;
    }
    throw new IOException(thread != null ? slow() : String.valueOf(refusal));
  }

  /** Answers an executor, and begins to open the part if a rank joins there. */
  synchronized JoinAnswer answer(JoinQuestion question) {
    DriverParts known = parts;
    if (known != null) {
      return new JoinAnswer.Open(known.settings());
    } else if (!question.joins()) {
      long pause = waitingWith(question.executor()) * PAUSE_PER_EXECUTOR_MILLIS;
      return new JoinAnswer.Nobody(
          Math.min(LONGEST_PAUSE_MILLIS, Math.max(SHORTEST_PAUSE_MILLIS, pause)));
    } else if (closed) {
      return new JoinAnswer.Refused("the application ends");
    } else if (thread != null) {
      return nanoTime.getAsLong() - begunNanos < longest.toNanos()
          ? new JoinAnswer.Opening()
          : new JoinAnswer.Refused(slow());
    }
    String before = refusal;
    if (before != null && nanoTime.getAsLong() - refusedNanos < TOLD_NANOS) {
      return new JoinAnswer.Refused(before);
    }
    LOG.info("Executor {} has the first join of this application", question.executor());
    begin();
    return thread == null
        ? new JoinAnswer.Refused(String.valueOf(refusal))
        : new JoinAnswer.Opening();
  }

  /** The number of executors without ranks that live, as far as their questions tell. */
  private int waitingWith(String executor) {
    long now = nanoTime.getAsLong();
    waiting.remove(executor);
    waiting.put(executor, now);
    Iterator<Long> oldestFirst = waiting.values().iterator();
    while (now - oldestFirst.next() > ASKS_WITHIN_NANOS) {
      oldestFirst.remove();
    }
    return waiting.size();
  }

  private synchronized void begin() {
    begunNanos = nanoTime.getAsLong();
    try {
      Thread opens = threads.newThread(this::open);
      opens.start();
      thread = opens;
    } catch (OutOfMemoryError e) { // no memory, or no more threads
      DaemonThreads.report("The driver's part", e);
      refuse(e.toString());
    }
  }

  private void refuse(@Nullable String reason) {
    refusal = reason;
    refusedNanos = nanoTime.getAsLong();
  }

  private String slow() {
    return String.format(
        Locale.ROOT,
        "the driver opens STORE and its port for over %d s: its log and a stack of its thread %s"
            + " tell where",
        longest.toSeconds(),
        THREAD);
  }

  private void open() {
    DriverParts opened = null;
    String reason = null;
    try {
      opened = opening.open();
    } catch (IOException | RuntimeException e) {
      LOG.error("The driver's part does not open, so ranks are refused: {}", e.getMessage(), e);
      reason = e.getMessage() == null ? e.toString() : e.getMessage();
    } catch (Error e) {
      DaemonThreads.report("The driver's part", e);
      reason = e.toString();
    }
    synchronized (this) {
      thread = null;
      refuse(reason);
      if (!closed) {
        parts = opened;
      }
      notifyAll();
      if (!closed) {
        return;
      }
    }
    if (opened != null) {
      opened.close();
    }
  }

  /** Closes the part, or what is being opened of it. Idempotent. */
  @Override
  public void close() {
    DriverParts opened;
    synchronized (this) {
      closed = true;
      opened = parts;
      Thread opens = thread;
      if (opens != null) {
        opens.interrupt();
      }
    }
    if (opened != null) {
      opened.close();
    }
  }
}
