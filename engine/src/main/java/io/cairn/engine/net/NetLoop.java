package io.cairn.engine.net;

import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that moves the bytes of many channels, and waits for none of them. A failure ends the
 * channel that it happened at. Thread-safe.
 */
final class NetLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NetLoop.class);
  private static final long LOOK_MILLIS = 100;
  private static final long REST_MILLIS = 10;
  private static final long CLOSE_MILLIS = 10_000;

  private final Selector selector;
  private final LongSupplier nanoTime;
  private final Thread thread;
  private final AtomicBoolean woken = new AtomicBoolean();
  private final LoopMemory memory = new LoopMemory();

  /** Guarded by this, as is the next. */
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  private final List<LongConsumer> watchers = new CopyOnWriteArrayList<>();
  private boolean ended;
  private long looked;
  private volatile boolean closed;

  /** A channel's owner. Its methods are called on the loop's thread. */
  interface Member {
    /** The channel is ready for what its key is interested in. */
    void ready(SelectionKey key) throws IOException;

    /** Some time has passed. */
    void look(long nowNanos) throws IOException;

    /** The channel has failed, or the loop ends; closes it. Idempotent. */
    void end(Throwable cause);
  }

  private NetLoop(String name, LongSupplier nanoTime) throws IOException {
    this.nanoTime = nanoTime;
    this.looked = nanoTime.getAsLong();
    this.selector = Selector.open();
    this.thread = DaemonThreads.unstarted(name, this::run);
  }

  /**
   * Starts a thread of this name.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @throws IOException if the system refuses what it needs
   */
  static NetLoop start(String name, LongSupplier nanoTime) throws IOException {
    NetLoop loop = new NetLoop(name, nanoTime);
    try {
      loop.thread.start();
      return loop;
    } catch (RuntimeException | Error e) {
      loop.selector.close();
      throw e;
    }
  }

  /** The clock. */
  long now() {
    return nanoTime.getAsLong();
  }

  /** Memory of its connections, on the loop's thread alone. */
  LoopMemory memory() {
    return memory;
  }

  /** Registers a channel, from any thread. */
  SelectionKey register(SelectableChannel channel, int interest, Member member)
      throws ClosedChannelException {
    SelectionKey key = channel.register(selector, interest, member);
    wake();
    return key;
  }

  /** Calls this now and then with the time, on the loop's thread, until the loop ends. */
  void watch(LongConsumer watcher) {
    watchers.add(watcher);
  }

  /** Runs a task on the loop's thread soon, or here at once after the loop has ended. */
  void soon(Runnable task) {
    boolean late;
    synchronized (this) {
      late = ended;
      if (!late) {
        tasks.add(task);
      }
    }
    if (late) {
      task.run();
    } else {
      wake();
    }
  }

  private void wake() {
    if (Thread.currentThread() != thread && woken.compareAndSet(false, true)) {
      selector.wakeup();
    }
  }

  private void run() {
    try {
      while (!closed) {
        turn();
      }
    } finally {
      closed = true;
      finish();
    }
  }

  /** Whether it ends, or has ended. */
  boolean isClosed() {
    return closed;
  }

  private void turn() {
    try {
      if (hasTasks()) {
        selector.selectNow(this::ready);
      } else {
        selector.select(this::ready, LOOK_MILLIS);
      }
      woken.set(false);
      runTasks();
      look();
    } catch (IOException | RuntimeException | Error e) {
      // such as a lack of memory, which may pass
      DaemonThreads.report(thread.getName(), e);
      rest();
    }
  }

  private synchronized boolean hasTasks() {
    return !tasks.isEmpty();
  }

  private void rest() {
    try {
      TimeUnit.MILLISECONDS.sleep(REST_MILLIS); // a failure that comes back must not take a core
    } catch (InterruptedException e) {
      LOG.debug("It did not rest", e);
    }
  }

  private void runTasks() {
    int count;
    synchronized (this) {
      count = tasks.size(); // those that they add come after a look at the channels
    }
    for (int i = 0; i < count; i++) {
      Runnable task = nextTask();
      if (task != null) {
        quietly(task);
      }
    }
  }

  private synchronized @Nullable Runnable nextTask() {
    return tasks.poll();
  }

  private void quietly(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      DaemonThreads.report(thread.getName(), e);
    }
  }

  private void look() {
    long begin = nanoTime.getAsLong();
    if (begin - looked >= TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)) {
      looked = begin;
      watchers.forEach(each -> quietly(() -> each.accept(begin)));
      for (SelectionKey key : selector.keys()) {
        step(key, () -> member(key).look(nanoTime.getAsLong()));
      }
    }
  }

  private void ready(SelectionKey key) {
    step(key, () -> member(key).ready(key));
  }

  private static Member member(SelectionKey key) {
    return (Member) key.attachment();
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void step(SelectionKey key, Step step) {
    try {
      if (key.isValid()) {
        step.run();
      }
    } catch (IOException | RuntimeException | Error e) {
      member(key).end(e);
    }
  }

  private void finish() {
    try {
      runTasks();
      IOException cause = new IOException("this transport is closed");
      for (SelectionKey key : selector.keys()) {
        quietly(() -> member(key).end(cause));
      }
    } finally {
      quietly(this::closeSelector);
      synchronized (this) {
        ended = true;
      }
      for (Runnable left = nextTask(); left != null; left = nextTask()) {
        quietly(left);
      }
    }
  }

  private void closeSelector() {
    try {
      selector.close();
    } catch (IOException e) {
      LOG.debug("A selector was not closed in order", e);
    }
  }

  /** Ends all members and the thread; waits for that, for at most 10 s. */
  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join(CLOSE_MILLIS);
      if (thread.isAlive()) {
        LOG.warn("{} still works, {} ms after closing", thread.getName(), CLOSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
