package io.cairn.lab.cluster;

import io.cairn.flush.store.ProcessKilledException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, and whose turn it is: one thread or task of all processes runs at a time. All
 * follows from the seed. Not thread-safe: whoever has the turn uses it.
 */
final class Turns {
  /*
   * A task runs on the thread that has the turn. A call of a store may suspend its process: tasks
   * of other processes then run on top of the call, and it continues when they have ended. So calls
   * of several processes interleave, the last one that was suspended first. A process whose call is
   * suspended runs nothing else meanwhile, since the stack belongs to it.
   */

  private static final int TRACE_LINES = 400;

  private record Event(long atNanos, long order, @Nullable Actor actor, Runnable task)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final SplittableRandom random;
  private final Executor pool;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<SimulatedThread> threads = new ArrayList<>();
  private final Deque<String> trace = new ArrayDeque<>();
  private long nowNanos;
  private long planned;
  private @Nullable SimulatedThread current;

  /** The first failure of a task; the simulation ends by it. */
  private @Nullable Throwable failure;

  /** Time 0 of a seed; {@code pool} has as many threads as are started. */
  Turns(long seed, Executor pool) {
    this.random = new SplittableRandom(seed);
    this.pool = pool;
  }

  SplittableRandom random() {
    return random;
  }

  long nowNanos() {
    return nowNanos;
  }

  /** Plans a task of a process, or of the world if that is null. */
  void after(@Nullable Actor actor, long nanos, Runnable task) {
    events.add(new Event(nowNanos + nanos, planned++, actor, task));
  }

  /**
   * Runs tasks until a moment.
   *
   * @throws ViolationException if an invariant does not hold
   */
  void runUntil(long endNanos, BooleanSupplier done) {
    while (!done.getAsBoolean() && step(endNanos)) {
      requireNoFailure();
    }
    requireNoFailure();
    nowNanos = done.getAsBoolean() ? nowNanos : Math.max(nowNanos, endNanos);
  }

  private void requireNoFailure() {
    if (failure != null) {
      throw failure instanceof ViolationException violation
          ? violation
          : new IllegalStateException("a simulated task failed", failure);
    }
  }

  private boolean step(long endNanos) {
    Event next = nextRunnable(endNanos);
    if (next == null) {
      return false;
    }
    nowNanos = Math.max(nowNanos, next.atNanos());
    SimulatedThread before = current;
    current = null; // a task must not wait
    run(next.task());
    current = before;
    resumeReady();
    return true;
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (KilledError | ProcessKilledException e) {
      note("world", String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** The next task whose process can run it; drops those of the dead. */
  private @Nullable Event nextRunnable(long endNanos) {
    List<Event> later = new ArrayList<>();
    Event found = null;
    while (found == null) {
      Event next = events.peek();
      if (next == null || next.atNanos() > endNanos) {
        break;
      }
      events.remove();
      Actor actor = next.actor();
      if (actor == null || (actor.alive() && !actor.busy() && !actor.stopped())) {
        found = next;
      } else if (actor.alive()) {
        later.add(
            actor.stopped() ? new Event(actor.wakesAt(), next.order(), actor, next.task()) : next);
      }
    }
    events.addAll(later);
    return found;
  }

  /** Lets other processes run in the middle of a call, with a probability. */
  void interleave(Actor actor, double probability) {
    if (random.nextDouble() < probability) {
      suspend(actor, nowNanos + random.nextLong(20_000_000), () -> false);
    }
    while (actor.alive() && actor.stopped()) {
      suspend(actor, actor.wakesAt(), () -> !actor.alive());
    }
  }

  private void suspend(Actor actor, long untilNanos, BooleanSupplier early) {
    boolean before = actor.busy();
    SimulatedThread mine = current;
    actor.busy(true);
    while (failure == null && !early.getAsBoolean() && step(untilNanos)) {
      // others' turns
    }
    nowNanos = Math.max(nowNanos, untilNanos);
    current = mine;
    actor.busy(before);
  }

  SimulatedThread start(Actor actor, String name, Runnable body) {
    SimulatedThread thread = new SimulatedThread(actor, name);
    threads.add(thread);
    pool.execute(() -> thread.run(() -> run(body)));
    after(actor, random.nextLong(1_000_000), () -> resume(thread));
    return thread;
  }

  private void resume(SimulatedThread thread) {
    SimulatedThread before = current;
    current = thread;
    thread.resume();
    current = before;
    if (thread.ended()) {
      threads.remove(thread);
    }
  }

  /** Ends a thread of a dead process. */
  void end(SimulatedThread thread) {
    SimulatedThread before = current;
    current = thread;
    thread.kill();
    current = before;
    if (thread.ended()) {
      threads.remove(thread);
    }
  }

  private void resumeReady() {
    for (SimulatedThread thread : List.copyOf(threads)) {
      Actor actor = thread.actor();
      if (failure == null && !actor.busy() && !actor.stopped() && thread.ready()) {
        resume(thread);
      }
    }
  }

  /** The thread that has the turn. */
  SimulatedThread current() {
    SimulatedThread thread = current;
    if (thread == null) {
      throw new IllegalStateException("a task waits, and only threads may");
    }
    return thread;
  }

  /** The thread that has the turn waits for a condition, or for a time. */
  void await(@Nullable BooleanSupplier condition, long nanos) {
    SimulatedThread thread = current();
    long number = thread.beginWait(condition);
    after(
        thread.actor(),
        nanos,
        () -> {
          if (thread.waitsStill(number)) {
            resume(thread);
          }
        });
    thread.pause();
  }

  /** Keeps a line of what happened. */
  void note(String who, String what) {
    if (trace.size() == TRACE_LINES) {
      trace.removeFirst();
    }
    trace.addLast(String.format("%9.3f ms  %-10s %s", nowNanos / 1e6, who, what));
  }

  /** The last lines of what happened. */
  List<String> trace() {
    return List.copyOf(trace);
  }
}
