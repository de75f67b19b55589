package io.cairn.engine.coordination;

import io.cairn.core.threads.DaemonThreads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads on which the coordinators of a process claim epochs and commit. */
public final class CommitThreads {
  /** Groups that use the store at a time. */
  static final int MOST = 8;

  private static final long IDLE_SECONDS = 30;

  private CommitThreads() {}

  /** Threads that start when there is work, and end when there is none; they are daemons. */
  public static ExecutorService open() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            MOST,
            MOST,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            DaemonThreads.numbered("cairn-commit-"));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
