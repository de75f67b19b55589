package io.cairn.spark.peer;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The replies that wait for one connection's event loop. The loop is woken once for all that come
 * before it runs. A service that answers thousands of questions at once so wakes it rarely. Keeps
 * the order of each caller. Thread-safe.
 */
final class ReplyQueue {
  private final Executor loop;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean woken = new AtomicBoolean();

  /** A queue of the connection that {@code loop} serves. */
  ReplyQueue(Executor loop) {
    this.loop = loop;
  }

  /** Lets the event loop send a reply; drops it if the loop has ended. */
  void add(Runnable reply) {
    waiting.add(reply);
    if (woken.compareAndSet(false, true)) {
      try {
        loop.execute(this::send);
      } catch (RejectedExecutionException ended) {
        // the connection is closed, and nobody waits for its replies
        waiting.clear();
      }
    }
  }

  private void send() {
    woken.set(false);
    for (Runnable reply = waiting.poll(); reply != null; reply = waiting.poll()) {
      reply.run();
    }
  }
}
