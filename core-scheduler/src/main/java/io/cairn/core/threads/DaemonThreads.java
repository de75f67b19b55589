package io.cairn.core.threads;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Cairn's threads; no other class does. They are daemons, so they keep no process alive. What
 * a thread does not catch is logged and counted, and never reaches the default handler of the
 * process: Spark's ends the executor. Thread-safe.
 */
public final class DaemonThreads {
  private static final Logger LOG = LoggerFactory.getLogger(DaemonThreads.class);

  /** Kinds of failures that are logged; a process has some. */
  private static final int MOST_LOGGED = 1_000;

  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();
  private static final AtomicLong FAILURES = new AtomicLong();

  private DaemonThreads() {}

  /** Makes threads that all have this name. */
  public static ThreadFactory named(String name) {
    return task -> thread(name, name, task);
  }

  /** Makes threads with this prefix and a number from 1. */
  public static ThreadFactory numbered(String prefix) {
    AtomicInteger number = new AtomicInteger();
    return task -> thread(prefix, prefix + number.incrementAndGet(), task);
  }

  /** A thread that the caller starts, or hands to the runtime as a hook. */
  public static Thread unstarted(String name, Runnable task) {
    return thread(name, name, task);
  }

  private static Thread thread(String part, String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((dying, failure) -> report(part, failure));
    return thread;
  }

  /**
   * A task for a scheduler, which keeps to itself what a task throws. A failure is reported. An
   * error that {@link #isLasting lasts} ends the repetition; nothing else does.
   *
   * @param part as in {@link #report}
   */
  public static Runnable watched(String part, Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        report(part, e);
      } catch (Error e) {
        report(part, e);
        if (isLasting(e)) {
          throw e;
        }
      }
    };
  }

  /** Whether the same work would meet this error again, unlike a lack of memory. */
  public static boolean isLasting(Error error) {
    return !(error instanceof OutOfMemoryError);
  }

  /**
   * Counts a failure of a part of Cairn, and logs it if it is the first of its kind. Throws
   * nothing: a lack of memory may keep it from logging.
   *
   * @param part such as the name of its thread
   */
  public static void report(String part, Throwable failure) {
    FAILURES.incrementAndGet();
    try {
      log(part, failure);
    } catch (RuntimeException | Error e) {
      // it is counted; the thread that reports it must go on
    }
  }

  private static void log(String part, Throwable failure) {
    if (LOGGED.size() < MOST_LOGGED && LOGGED.add(part + " " + kind(failure))) {
      LOG.error(
          "{} of Cairn failed; this process goes on. Further failures of this kind are counted"
              + " only. {}",
          part,
          Advice.on(failure),
          failure);
    } else {
      LOG.debug("{} of Cairn failed again", part, failure);
    }
  }

  /** Exceptions of one class have many causes, errors have one. */
  private static String kind(Throwable failure) {
    StackTraceElement[] stack = failure.getStackTrace();
    boolean isError = failure instanceof Error || stack.length == 0;
    return failure.getClass().getName() + (isError ? "" : " " + stack[0]);
  }

  /** Failures that were reported in this process, by threads or otherwise. */
  public static long failures() {
    return FAILURES.get();
  }
}
