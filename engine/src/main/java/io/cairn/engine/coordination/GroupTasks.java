package io.cairn.engine.coordination;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks of one group in their order, one at a time, on threads that all groups share. So a
 * group whose store is slow delays no other, as long as a thread is free. Thread-safe.
 */
final class GroupTasks implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(GroupTasks.class);

  private final Executor threads;
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  /** Whether a thread has been asked for that will look into the queue. Guarded by the queue. */
  private boolean running;

  /** No tasks yet. */
  GroupTasks(Executor threads) {
    this.threads = threads;
  }

  /**
   * Queues a task.
   *
   * @throws RejectedExecutionException if the threads have ended, and none runs tasks of this group
   */
  @Override
  public void execute(Runnable task) {
    synchronized (waiting) {
      waiting.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    try {
      threads.execute(this::runAll);
    } catch (RejectedExecutionException e) {
      synchronized (waiting) {
        waiting.clear();
        running = false;
      }
      throw e;
    }
  }

  /** Whether every task has ended. */
  boolean isIdle() {
    synchronized (waiting) {
      return !running;
    }
  }

  /** All that waits runs in one turn, so that the end of the threads drops nothing. */
  private void runAll() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        // the next task runs all the same: otherwise the group would hang
        LOG.error("A task of a group failed", e);
      }
    }
  }

  private @Nullable Runnable next() {
    synchronized (waiting) {
      Runnable next = waiting.poll();
      running = next != null;
      return next;
    }
  }
}
