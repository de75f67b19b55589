package io.cairn.spark.executor;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.spark.settings.JoinAnswer;
import io.cairn.spark.settings.JoinQuestion;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the driver whether a rank has joined in this application, on one thread that ends when
 * somebody has. Asks for the settings when a rank joins here. Thread-safe.
 */
final class JobWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobWatch.class);
  private static final String THREAD = "cairn-job-watch";
  private static final long AGAIN_MILLIS = 100;

  /** After a failure: the driver is away, or as busy as never, or a resource is short. */
  private static final long FAILED_MILLIS = 10_000;

  private static final long REPORTED_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final String executor;
  private final Driver driver;
  private final long failedMillis;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** The way to the driver, which waits for the answer for a bounded time. */
  @FunctionalInterface
  interface Driver {
    /** Sends a message; the answer. */
    Object ask(Object message) throws Exception;
  }

  /** Asks nothing yet. */
  JobWatch(String executor, Driver driver) {
    this(executor, driver, FAILED_MILLIS);
  }

  /** Likewise, with the pause after a failure. */
  JobWatch(String executor, Driver driver, long failedMillis) {
    this.executor = executor;
    this.driver = driver;
    this.failedMillis = failedMillis;
  }

  /**
   * A rank joins here: waits until the driver has opened its part. The driver bounds that.
   *
   * @return the settings
   * @throws IOException with the driver's reason, if it refuses, or if it is not reached
   * @throws IllegalStateException if this executor ends meanwhile
   */
  Map<String, String> join() throws IOException {
    long beginNanos = System.nanoTime();
    long reportNanos = beginNanos + REPORTED_EVERY_NANOS;
    while (true) {
      requireWanted();
      JoinAnswer answer = ask(true);
      if (answer instanceof JoinAnswer.Open open) {
        return open.settings();
      } else if (answer instanceof JoinAnswer.Refused refused) {
        throw new IOException(refused.reason());
      }
      long now = System.nanoTime();
      if (now - reportNanos >= 0) {
        reportNanos = now + REPORTED_EVERY_NANOS;
        LOG.warn(
            "A join has waited {} s for the driver, which opens STORE: its log has the reason",
            TimeUnit.NANOSECONDS.toSeconds(now - beginNanos));
      }
      boolean unused = isClosedWithin(AGAIN_MILLIS);
    }
  }

  private void requireWanted() {
    if (closed.getCount() == 0) {
      throw new IllegalStateException("executor " + executor + " ends");
    }
  }

  /**
   * Begins to ask whether a rank has joined anywhere.
   *
   * @param open opens Cairn here; called if so, and again after a pause while it fails
   */
  void watch(Supplier<?> open) {
    DaemonThreads.unstarted(THREAD, () -> untilBegun(open)).start();
  }

  private void untilBegun(Supplier<?> open) {
    int failures = 0;
    try {
      while (true) {
        long pause = pauseMillis();
        if (pause == 0 && isOpened(open, failures++)) {
          return;
        } else if (isClosedWithin(pause == 0 ? failedMillis : pause)) {
          return;
        }
      }
    } catch (InterruptedIOException e) {
      LOG.debug("Executor {} ends", executor, e);
    }
  }

  private boolean isOpened(Supplier<?> open, int failures) {
    try {
      var unused = open.get();
      return true;
    } catch (RuntimeException e) {
      if (failures == 0 && closed.getCount() > 0) {
        LOG.warn("Executor {} serves and lends nothing yet, and tries again", executor, e);
      } else {
        LOG.debug("Executor {} serves and lends nothing yet", executor, e);
      }
      return false;
    }
  }

  /** The pause before the next question; 0 if a rank has joined. */
  private long pauseMillis() {
    try {
      JoinAnswer answer = ask(false);
      return answer instanceof JoinAnswer.Nobody nobody ? nobody.pauseMillis() : 0;
    } catch (IOException | RuntimeException e) {
      LOG.debug("The driver does not say whether a rank has joined", e);
      return failedMillis;
    }
  }

  private JoinAnswer ask(boolean joins) throws IOException {
    try {
      return JoinAnswer.of(driver.ask(new JoinQuestion(executor, joins).text()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    } catch (Exception e) {
      throw new IOException("the driver's part of the plugin is not reached: " + e.getMessage(), e);
    }
  }

  private boolean isClosedWithin(long millis) throws InterruptedIOException {
    try {
      return closed.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted(e);
    }
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    return (InterruptedIOException)
        new InterruptedIOException("interrupted while Cairn was opened").initCause(e);
  }

  /** Asks nothing any more. Idempotent. */
  @Override
  public void close() {
    closed.countDown();
  }
}
