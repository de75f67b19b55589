package io.cairn.engine.sharing.peer;

import java.util.concurrent.ThreadFactory;

/** Names the threads of sharing, none of which keeps a process alive. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Makes daemon threads that all have this name. */
  public static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
