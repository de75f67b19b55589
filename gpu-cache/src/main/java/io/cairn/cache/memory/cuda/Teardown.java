package io.cairn.cache.memory.cuda;

import io.cairn.core.threads.DaemonThreads;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that frees what belongs to the driver. Such a call waits for all work of the GPU, the
 * application's included, and that work may never end. The thread does not keep the process alive.
 */
final class Teardown {
  private static final Logger LOG = LoggerFactory.getLogger(Teardown.class);

  /** With which the names of the threads begin. */
  private static final String NAME = "cairn-free ";

  private Teardown() {}

  private static Thread start(CudaContext context, Runnable end) {
    Thread thread = DaemonThreads.unstarted(NAME + context, end);
    thread.start();
    return thread;
  }

  /** Whether a thread is one that frees. */
  static boolean isOne(Thread thread) {
    return thread.getName().startsWith(NAME);
  }

  /**
   * Frees something, and waits as long as the context is patient. Goes on behind the caller after
   * that, with a warning, and after an interruption. Frees nothing while the process exits, since
   * the driver frees everything then.
   */
  static void run(CudaContext context, Runnable end) {
    boolean unused = ends(context, end);
  }

  /** Like {@link #run}; false if it goes on behind the caller. */
  static boolean ends(CudaContext context, Runnable end) {
    if (isOne(Thread.currentThread())) {
      end.run();
    } else if (!isProcessExiting()) {
      return await(start(context, end), context);
    }
    return true;
  }

  /** Frees something behind the caller, who does not wait; nothing while the process exits. */
  static void later(CudaContext context, Runnable end) {
    if (!isProcessExiting()) {
      Thread unused = start(context, end);
    }
  }

  private static boolean await(Thread thread, CudaContext context) {
    try {
      TimeUnit.NANOSECONDS.timedJoin(thread, context.patience().toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOG.warn(
          "{} is still busy; its memory for checkpoints stays until the GPU's work or this"
              + " process ends",
          context);
      return false;
    }
    return true;
  }

  /** The runtime refuses hooks from the moment when it runs them. */
  static boolean isProcessExiting() {
    Thread hook = DaemonThreads.unstarted("cairn-exit-probe", () -> {});
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
