package io.cairn.flush.pipeline;

import io.cairn.core.threads.DaemonThreads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stage of promotion: runs tasks in order of acceptance, by default one after the other on a
 * daemon thread of its own. With several threads, only the {@link InLine tasks of one line} run one
 * after the other. The bytes of queued and running tasks are bounded, and so is the number of those
 * without bytes. A stage without room rejects a task at once, so a slow level delays only its own
 * producer. Thread-safe; holds no lock while a task runs.
 */
public final class Stage {
  private static final Logger LOG = LoggerFactory.getLogger(Stage.class);
  private static final int MAX_WEIGHTLESS = 4096;

  private final String name;
  private final long maxQueuedBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<Entry> waiting = new ArrayDeque<>();
  private long queuedBytes;

  /** Queued and running tasks without bytes, such as deletes: they delay no other, nor wait. */
  private int weightless;

  private final Executor executor;
  private final Runnable end;

  private final int threads;

  /** The number of threads that run a task, or are about to. */
  private int running;

  /** The lines of which a task runs; several threads only. */
  private final Set<Object> busy = new HashSet<>();

  private boolean closed;

  /** A task that runs after all earlier ones of its line, whatever the number of threads. */
  public interface InLine extends Runnable {
    /** Equals that of the other tasks of the line. */
    Object line();
  }

  private record Entry(long bytes, Runnable task) {
    Optional<Object> line() {
      return task instanceof InLine inLine ? Optional.of(inLine.line()) : Optional.empty();
    }
  }

  private Stage(String name, long maxQueuedBytes, int threads, Executor executor, Runnable end) {
    if (maxQueuedBytes < 1) {
      throw new IllegalArgumentException(
          "stage " + name + " with room for " + maxQueuedBytes + " bytes");
    }
    this.name = name;
    this.maxQueuedBytes = maxQueuedBytes;
    this.threads = threads;
    this.executor = executor;
    this.end = end;
  }

  /**
   * Starts a stage on a thread of its own.
   *
   * @param name the level that the stage writes; names the thread
   * @param maxQueuedBytes bound on the bytes of queued and running tasks; a larger task is accepted
   *     if no other one occupies memory
   */
  public static Stage start(String name, long maxQueuedBytes) {
    return start(name, maxQueuedBytes, 1);
  }

  /**
   * Like {@link #start(String, long)}, on several threads.
   *
   * @param threads at least 1
   */
  public static Stage start(String name, long maxQueuedBytes, int threads) {
    String thread = "cairn-" + name;
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads,
            threads == 1 ? DaemonThreads.named(thread) : DaemonThreads.numbered(thread + "-"));
    return new Stage(name, maxQueuedBytes, threads, pool, pool::shutdown);
  }

  /**
   * A stage on the caller's executor.
   *
   * @param executor stays the caller's; runs one task of this stage at a time
   */
  public static Stage on(Executor executor, String name, long maxQueuedBytes) {
    return new Stage(name, maxQueuedBytes, 1, executor, () -> {});
  }

  /**
   * Offers a task; never waits.
   *
   * @param bytes memory that the task occupies until it has run; 0 for one that only frees room
   * @param task its exceptions are logged and do not affect later tasks
   * @return false if the stage has no room or is closed; the task will not run then
   */
  public boolean offer(long bytes, Runnable task) {
    return add(bytes, task, false);
  }

  /**
   * Like {@link #offer}, for a task that cannot be left out: the bound on the bytes does not reject
   * it. The caller bounds the number of such tasks.
   *
   * @return false if the stage is closed; the task will not run then
   */
  public boolean admit(long bytes, Runnable task) {
    return add(bytes, task, true);
  }

  private boolean add(long bytes, Runnable task, boolean beyondBound) {
    lock.lock();
    try {
      if (closed || !(beyondBound || hasRoom(bytes))) {
        return false;
      }
      queuedBytes += bytes;
      weightless += bytes == 0 ? 1 : 0;
      waiting.add(new Entry(bytes, task));
      if (running < threads) {
        running++;
        executor.execute(this::runNext);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes back a task that has not begun, and frees its room. O(queued tasks).
   *
   * @param which must not block
   * @return the first task that fits, which will not run; empty if none waits
   */
  public Optional<Runnable> take(Predicate<Runnable> which) {
    lock.lock();
    try {
      Optional<Entry> found = waiting.stream().filter(one -> which.test(one.task())).findFirst();
      found.ifPresent(
          entry -> {
            waiting.remove(entry);
            forget(entry);
            changed.signalAll();
          });
      return found.map(Entry::task);
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoom(long bytes) {
    return bytes == 0
        ? weightless < MAX_WEIGHTLESS
        : queuedBytes == 0 || bytes <= maxQueuedBytes - queuedBytes;
  }

  /** Bytes of queued and running tasks. */
  public long queuedBytes() {
    lock.lock();
    try {
      return queuedBytes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Rejects further tasks, and waits for the accepted ones. When the time is over, a running task
   * continues, and queued tasks are dropped. Idempotent.
   *
   * @param patience maximum time to wait
   * @return the dropped tasks, so that the caller can report them
   */
  public List<Runnable> close(Duration patience) {
    lock.lock();
    try {
      closed = true;
      awaitIdle(patience.toNanos());
      List<Runnable> left = waiting.stream().map(Entry::task).toList();
      waiting.forEach(this::forget);
      waiting.clear();
      end.run();
      return left;
    } finally {
      lock.unlock();
    }
  }

  private void awaitIdle(long patienceNanos) {
    try {
      long nanos = patienceNanos;
      while (queuedBytes + weightless > 0 && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // return the dropped tasks at once
    }
  }

  private void runNext() {
    Optional<Entry> next = next();
    if (next.isPresent()) {
      Entry entry = next.get();
      try {
        entry.task().run();
      } catch (RuntimeException | Error e) {
        LOG.error("a task of stage {} failed; later tasks are not affected", name, e);
      } finally {
        release(entry);
      }
    }
  }

  /** The next task; empty if none may run now, and then this thread ends. */
  private Optional<Entry> next() {
    lock.lock();
    try {
      Optional<Entry> next =
          waiting.stream().filter(one -> one.line().filter(busy::contains).isEmpty()).findFirst();
      next.ifPresentOrElse(
          entry -> {
            waiting.remove(entry);
            entry.line().ifPresent(busy::add);
          },
          () -> running--);
      return next;
    } finally {
      lock.unlock();
    }
  }

  private void release(Entry entry) {
    lock.lock();
    try {
      forget(entry);
      entry.line().ifPresent(busy::remove);
      changed.signalAll();
      if (waiting.isEmpty()) {
        running--;
      } else {
        executor.execute(this::runNext);
      }
    } finally {
      lock.unlock();
    }
  }

  private void forget(Entry entry) {
    queuedBytes -= entry.bytes();
    weightless -= entry.bytes() == 0 ? 1 : 0;
  }
}
