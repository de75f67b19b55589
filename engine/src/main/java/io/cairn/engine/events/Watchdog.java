package io.cairn.engine.events;

import io.cairn.CairnEvent;
import io.cairn.Member;
import io.cairn.core.threads.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Watches the work of threads that may hang, in a device, a file system or a wait for other ranks.
 * It reports work that lasts, with the stack of its thread, and again whenever the work has lasted
 * twice as long. It ends nothing. Thread-safe; beginning and ending work takes O(1).
 */
public final class Watchdog implements AutoCloseable {
  private static final String THREAD = "cairn-watchdog";
  private static final long CHECKS = 4;

  private final long patienceNanos;
  private final Consumer<? super CairnEvent> observer;
  private final LongSupplier nanoTime;
  private final Set<Work> works = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, DaemonThreads.named(THREAD));

  /** Work of one thread, which ends it by {@link #close}. */
  public final class Work {
    private final Member member;
    private final String name;
    private final Thread worker = Thread.currentThread();
    private final long sinceNanos = nanoTime.getAsLong();
    private long nextNanos = patienceNanos;

    private Work(Member member, String name) {
      this.member = member;
      this.name = name;
    }

    /** The work has ended. */
    public void close() {
      works.remove(this);
    }

    private void check(long nowNanos) {
      long lasts = nowNanos - sinceNanos;
      if (lasts >= nextNanos) {
        nextNanos = 2 * lasts;
        List<StackTraceElement> stack = List.of(worker.getStackTrace());
        // the stack may be that of later work
        if (works.contains(this)) {
          observer.accept(
              new CairnEvent.Hangs(member, name, Duration.ofNanos(lasts), worker.getName(), stack));
        }
      }
    }
  }

  /**
   * Watches nothing yet.
   *
   * @param patience after which work is reported first; with zero nothing is
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public Watchdog(Duration patience, Consumer<? super CairnEvent> observer, LongSupplier nanoTime) {
    this.patienceNanos = patience.toNanos();
    this.observer = observer;
    this.nanoTime = nanoTime;
  }

  /** Begins to check, on a thread of its own. */
  public void begin() {
    if (patienceNanos > 0) {
      long period = Math.max(1, patienceNanos / CHECKS);
      Runnable check = DaemonThreads.watched(THREAD, this::check);
      var unused = thread.scheduleWithFixedDelay(check, period, period, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * This thread begins work for a rank.
   *
   * @param name for people, such as "a capture"
   */
  public Work begin(Member member, String name) {
    Work work = new Work(member, name);
    works.add(work);
    return work;
  }

  /** Does work for a rank on this thread. */
  public <T> T during(Member member, String name, Supplier<T> work) {
    Work watched = begin(member, name);
    try {
      return work.get();
    } finally {
      watched.close();
    }
  }

  /** Reports the work that lasts. One thread at a time calls it. */
  synchronized void check() {
    long now = nanoTime.getAsLong();
    works.forEach(work -> work.check(now));
  }

  /** Checks no more. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
