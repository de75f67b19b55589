package io.cairn.engine.nodes;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.pipeline.Stage;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The threads, the waits and the clock of one process that serves its node. A simulation has its
 * own, in virtual time.
 *
 * @param waits of those that ask other nodes
 * @param nanoTime the clock, as {@link System#nanoTime}
 * @param server answers other nodes, one task at a time
 * @param keeper fetches and deletes copies for other nodes
 * @param staging writes other nodes' checkpoints to STORE
 * @param repeating registers at the desk
 * @param end ends these threads
 */
public record NodeThreads(
    Waits waits,
    LongSupplier nanoTime,
    Executor server,
    Stage keeper,
    Stage staging,
    Repeating repeating,
    Runnable end) {
  private static final String THREAD = "cairn-node-peer";

  /** Runs a task again and again. */
  @FunctionalInterface
  public interface Repeating {
    /** Runs a task, which may wait, now or soon, and again after each pause. */
    void start(Runnable task, Duration pause);
  }

  /**
   * Threads of the JVM.
   *
   * @param maxQueuedBytes of copies for other nodes that are waited for, and of checkpoints
   * @param writers that write to STORE for other nodes at once
   */
  public static NodeThreads start(long maxQueuedBytes, int writers, LongSupplier nanoTime) {
    ExecutorService server = NodeServer.thread();
    Stage keeper = Stage.start("peer-keeper", maxQueuedBytes);
    Stage staging = Stage.start("staging", maxQueuedBytes, writers);
    ScheduledExecutorService repeating =
        Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(THREAD));
    return new NodeThreads(
        Waits.REAL,
        nanoTime,
        server,
        keeper,
        staging,
        (task, pause) -> {
          task.run();
          var unused =
              repeating.scheduleWithFixedDelay(
                  DaemonThreads.watched(THREAD, task),
                  pause.toMillis(),
                  pause.toMillis(),
                  TimeUnit.MILLISECONDS);
        },
        () -> {
          keeper.close(Duration.ZERO);
          staging.close(Duration.ZERO);
          repeating.shutdownNow();
          server.shutdownNow();
        });
  }
}
