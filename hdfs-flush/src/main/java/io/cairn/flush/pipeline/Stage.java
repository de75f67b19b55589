package io.cairn.flush.pipeline;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stage of the way to the store: tasks run one after the other, in the order in which they were
 * taken, on one daemon thread. The bytes of those that wait or run are bounded; when there is no
 * room, a task is refused at once, so that a slow level is felt by who feeds it and nowhere else.
 * Thread-safe; holds no lock while a task runs.
 */
public final class Stage {
  private static final Logger LOG = LoggerFactory.getLogger(Stage.class);

  private final String name;
  private final long maxQueuedBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<Entry> waiting = new ArrayDeque<>();
  private long queuedBytes;
  private boolean closed;

  private record Entry(long bytes, Runnable task) {}

  private Stage(String name, long maxQueuedBytes) {
    this.name = name;
    this.maxQueuedBytes = maxQueuedBytes;
  }

  /**
   * Starts a stage.
   *
   * @param name of the level it leads to; names the thread
   * @param maxQueuedBytes what may wait and run at a time; a single longer task is taken when
   *     nothing else is there
   */
  public static Stage start(String name, long maxQueuedBytes) {
    if (maxQueuedBytes < 1) {
      throw new IllegalArgumentException(
          "stage " + name + " with room for " + maxQueuedBytes + " bytes");
    }
    Stage stage = new Stage(name, maxQueuedBytes);
    Thread thread = new Thread(stage::run, "cairn-" + name);
    thread.setDaemon(true);
    thread.start();
    return stage;
  }

  /**
   * Hands over a task; never waits.
   *
   * @param bytes what it keeps occupied until it has run
   * @param task what it throws is logged and ends only this task
   * @return false if there is no room now or the stage is closed; the task will not run then
   */
  public boolean offer(long bytes, Runnable task) {
    lock.lock();
    try {
      long counted = Math.max(1, bytes); // so that their number is bounded, too
      if (closed || (queuedBytes > 0 && counted > maxQueuedBytes - queuedBytes)) {
        return false;
      }
      queuedBytes += counted;
      waiting.add(new Entry(counted, task));
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of the tasks that wait or run. */
  public long queuedBytes() {
    lock.lock();
    try {
      return queuedBytes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes no more tasks, and waits for those taken. A task that runs when the time is over runs on;
   * those that had not begun never will. Idempotent.
   *
   * @param patience how long to wait at most
   * @return the tasks that were not begun, for the caller to tell those who wait for them
   */
  public List<Runnable> close(Duration patience) {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      awaitIdle(patience.toNanos());
      List<Runnable> left = waiting.stream().map(Entry::task).toList();
      waiting.forEach(entry -> queuedBytes -= entry.bytes());
      waiting.clear();
      return left;
    } finally {
      lock.unlock();
    }
  }

  private void awaitIdle(long patienceNanos) {
    try {
      long nanos = patienceNanos;
      while (queuedBytes > 0 && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the caller is in a hurry: hand back what is left
    }
  }

  private void run() {
    for (Optional<Entry> next = next(); next.isPresent(); next = next()) {
      Entry entry = next.get();
      try {
        entry.task().run();
      } catch (RuntimeException | Error e) {
        LOG.error("a task of stage {} failed; the next one goes on", name, e);
      } finally {
        release(entry);
      }
    }
  }

  /** Waits for a task; empty when the stage is closed and there is none. */
  private Optional<Entry> next() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      return Optional.ofNullable(waiting.poll());
    } finally {
      lock.unlock();
    }
  }

  private void release(Entry entry) {
    lock.lock();
    try {
      queuedBytes -= entry.bytes();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
