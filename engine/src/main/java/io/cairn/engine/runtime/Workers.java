package io.cairn.engine.runtime;

import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.nodes.NodeThreads;
import io.cairn.engine.sharing.SharingThreads;
import io.cairn.flush.pipeline.Stage;
import java.util.concurrent.Executor;

/**
 * The threads of a process, and the order in which they end. Submitting work is thread-safe; only
 * the thread that closes the process ends them.
 */
public interface Workers {
  /** Ends captures on devices that copy later, in order. */
  Executor captures();

  /** Those of this process's coordinators. */
  HostContext.Threads coordinators();

  /**
   * A new stage; whoever asks for it closes it.
   *
   * @param name names its threads
   * @param maxQueuedBytes bound on the bytes of queued and running tasks
   * @param threads at most so many; at least 1
   */
  Stage stage(String name, long maxQueuedBytes, int threads);

  /** New threads that serve this process's node; whoever asks for them ends them. */
  NodeThreads ofNode(CairnConfig config);

  /** New threads of this process's part in sharing, which ends them. */
  SharingThreads ofSharing();

  /** Drops searches, and waits for captures under way, at most until {@code endNanos}. */
  void endCaptures(long endNanos);

  /** Waits for events and for the commits that they cause, at most until {@code endNanos}. */
  void endCoordination(long endNanos);
}
