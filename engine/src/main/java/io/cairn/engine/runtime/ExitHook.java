package io.cairn.engine.runtime;

import io.cairn.core.threads.DaemonThreads;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a Cairn that is still open when its process ends in order: on its last thread's end, on
 * {@code System.exit}, and on SIGTERM or SIGINT. It rescues the newest checkpoints first.
 * Thread-safe.
 */
final class ExitHook {
  private static final Logger LOG = LoggerFactory.getLogger(ExitHook.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Thread thread;

  private ExitHook(Thread thread) {
    this.thread = thread;
  }

  /** Registers a Cairn until {@link #remove}. */
  static ExitHook register(CairnEngine cairn) {
    Thread thread =
        DaemonThreads.unstarted(
            "cairn-exit",
            () -> {
              try {
                cairn.rescue(PATIENCE);
              } finally {
                cairn.close();
              }
            });
    try {
      Runtime.getRuntime().addShutdownHook(thread);
    } catch (IllegalStateException e) {
      LOG.debug("The process is ending already", e);
    }
    return new ExitHook(thread);
  }

  /** The Cairn is closed, so that nothing is left to do at the end. */
  void remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      LOG.debug("The process is ending, and its hooks run", e);
    }
  }
}
