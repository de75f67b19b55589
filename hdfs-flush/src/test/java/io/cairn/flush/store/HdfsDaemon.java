package io.cairn.flush.store;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A NameNode or a DataNode in a process of its own. It may be killed and started again, at the same
 * port and with the same files. Not thread-safe.
 */
public final class HdfsDaemon implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(2);
  private static final int HEAP_MEBIBYTES = 256;

  private final Path log;
  private final Object[] arguments;
  private @Nullable ChildProcess process;

  /**
   * A node that does not run yet.
   *
   * @param log receives its errors
   * @param arguments as {@link HdfsNode} expects them
   */
  HdfsDaemon(Path log, Object... arguments) {
    this.log = log;
    this.arguments = arguments;
  }

  /** Starts the process; {@link #awaitUp} waits until it serves. */
  public void start() throws IOException {
    process = Command.java(HdfsNode.class, arguments).small(HEAP_MEBIBYTES).errorsTo(log).start();
  }

  /**
   * Waits until it serves. A NameNode needs its DataNodes for that, if it has files.
   *
   * @throws IOException naming the log, if it does not serve within two minutes
   */
  public void awaitUp() throws IOException {
    try {
      running().await(HdfsNode.UP, START);
    } catch (IOException e) {
      throw new IOException(e.getMessage() + "; see " + log, e);
    }
  }

  /** Kills it with SIGKILL, and waits for its end. */
  public void kill() throws IOException, InterruptedException {
    running().kill();
  }

  private ChildProcess running() {
    if (process == null) {
      throw new IllegalStateException("the node of " + log + " was not started");
    }
    return process;
  }

  /** Kills it, if it runs. Idempotent. */
  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
