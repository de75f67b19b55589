package io.cairn.engine.coordination;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads on which the coordinators of a process claim epochs and commit. */
public final class CommitThreads {
  /** Groups that use the store at a time. */
  static final int MOST = 8;

  private static final long IDLE_SECONDS = 30;

  private CommitThreads() {}

  /** Threads that start when there is work, and end when there is none; they are daemons. */
  public static ExecutorService open() {
    AtomicInteger number = new AtomicInteger();
    ThreadFactory daemons =
        task -> {
          Thread thread = new Thread(task, "cairn-commit-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        };
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            MOST, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons);
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
