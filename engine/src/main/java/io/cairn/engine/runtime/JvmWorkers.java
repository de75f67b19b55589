package io.cairn.engine.runtime;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CoordinatorThreads;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.nodes.NodeThreads;
import io.cairn.engine.sharing.SharingThreads;
import io.cairn.flush.pipeline.Stage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads of the JVM. They are daemons, so they keep no process alive. */
final class JvmWorkers implements Workers {
  private static final Logger LOG = LoggerFactory.getLogger(JvmWorkers.class);
  private static final long GRACE_NANOS = 1_000_000_000;

  private final LongSupplier nanoTime;
  private final CoordinatorThreads coordination;
  private final ExecutorService captures =
      Executors.newSingleThreadExecutor(DaemonThreads.named("cairn-capture"));

  /** Starts no thread before there is work; waits by this clock, as {@link System#nanoTime}. */
  JvmWorkers(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.coordination = new CoordinatorThreads(nanoTime);
  }

  @Override
  public Executor captures() {
    return captures;
  }

  @Override
  public HostContext.Threads coordinators() {
    return coordination;
  }

  @Override
  public Stage stage(String name, long maxQueuedBytes, int threads) {
    return Stage.start(name, maxQueuedBytes, threads);
  }

  @Override
  public NodeThreads ofNode(CairnConfig config) {
    return NodeThreads.start(config.queueBytes(), config.storeThreads(), nanoTime);
  }

  @Override
  public SharingThreads ofSharing() {
    return SharingThreads.ofJvm(nanoTime);
  }

  @Override
  public void endCaptures(long endNanos) {
    coordination.endSearches();
    captures.shutdown();
    try {
      // an idle thread ends at once, even when the time is over
      long left = Math.max(endNanos - nanoTime.getAsLong(), GRACE_NANOS);
      if (!captures.awaitTermination(left, TimeUnit.NANOSECONDS)) {
        LOG.warn("The captures did not end in time");
        captures.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      captures.shutdownNow();
    }
  }

  @Override
  public void endCoordination(long endNanos) {
    coordination.end(endNanos);
  }
}
