package io.cairn.cache.memory.cuda;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that frees what belongs to the driver. Such a call waits for all work of the GPU, the
 * application's included, and that work may never end. The thread does not keep the process alive.
 */
final class Teardown extends Thread {
  private static final Logger LOG = LoggerFactory.getLogger(Teardown.class);

  private Teardown(CudaContext context, Runnable end) {
    super(end, "cairn-free " + context);
    setDaemon(true);
  }

  /**
   * Frees something, and waits as long as the context is patient. Goes on behind the caller after
   * that, with a warning, and after an interruption. Frees nothing while the process exits, since
   * the driver frees everything then.
   */
  static void run(CudaContext context, Runnable end) {
    if (currentThread() instanceof Teardown) {
      end.run();
    } else if (!isProcessExiting()) {
      Teardown thread = new Teardown(context, end);
      thread.start();
      thread.await(context);
    }
  }

  /** Frees something behind the caller, who does not wait; nothing while the process exits. */
  static void later(CudaContext context, Runnable end) {
    if (!isProcessExiting()) {
      new Teardown(context, end).start();
    }
  }

  private void await(CudaContext context) {
    try {
      TimeUnit.NANOSECONDS.timedJoin(this, context.patience().toNanos());
    } catch (InterruptedException e) {
      currentThread().interrupt();
    }
    if (isAlive()) {
      LOG.warn(
          "{} is still busy; its memory for checkpoints stays until the GPU's work or this"
              + " process ends",
          context);
    }
  }

  /** The runtime refuses hooks from the moment when it runs them. */
  static boolean isProcessExiting() {
    Thread hook = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
