package io.cairn.lab.study.cluster;

import io.cairn.internal.PaddedNumber;
import io.cairn.testkit.ProcessKilledException;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, and whose turn it is: one thread or task of all processes runs at a time. All
 * follows from the seed. Not thread-safe: whoever has the turn uses it.
 */
final class Turns {
  /*
   * The thread that has the turn passes it on when it waits or ends. Before, it runs on its own
   * stack every task that is due until some thread can continue. That may be itself, which costs no
   * change of threads; otherwise it wakes the other one and sleeps. So of all threads one runs, and
   * no thread is needed that only distributes turns.
   *
   * Such a task must not wait, since another thread lies below it on the stack. A task that may be
   * suspended in the middle of a store's call therefore runs as a thread. A process whose call is
   * suspended runs nothing else meanwhile, since the call may hold its locks.
   */

  private static final int TRACE_LINES = 400;

  /** The probability that a call is suspended, of a task that may be. */
  private static final double SUSPENSION = 0.1;

  private static final long LONGEST_SUSPENSION_NANOS = 20_000_000;

  private record Event(long atNanos, long order, @Nullable Actor actor, Runnable task)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private record Line(long atNanos, String subject, Supplier<String> what) {
    @Override
    public String toString() {
      long micros = atNanos / 1000;
      String blanks = " ".repeat(Math.max(0, 10 - subject.length()));
      return micros / 1000
          + "."
          + PaddedNumber.of(micros % 1000, 3)
          + " ms  "
          + subject
          + blanks
          + " "
          + what.get();
    }
  }

  private final SplittableRandom random;
  private final Executor pool;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final SimulatedThread world = new SimulatedThread(null, "world", 0, null);

  /** The world's first, then those that have not ended, in the order of their starts. */
  private final List<SimulatedThread> threads = new ArrayList<>(List.of(world));

  private final Deque<Line> trace = new ArrayDeque<>();

  /** The part of the tasks that may be suspended. */
  private final double suspendable;

  private long nowNanos;
  private Duration wallClockAhead = Duration.ZERO;
  private long planned;

  /** The thread that has the turn; null in a task. */
  private @Nullable SimulatedThread current = world;

  /** The first failure of a task; the simulation ends by it. */
  private @Nullable Throwable failure;

  /** Time 0 of a seed; {@code pool} has as many threads as are started. */
  Turns(long seed, Executor pool) {
    this.random = new SplittableRandom(seed);
    this.pool = pool;
    this.suspendable = random.nextInt(3) * 0.2;
  }

  SplittableRandom random() {
    return random;
  }

  long nowNanos() {
    return nowNanos;
  }

  /** The time of day, as all processes believe it. */
  Instant wallClock() {
    return Instant.EPOCH.plus(wallClockAhead).plusNanos(nowNanos);
  }

  /** An administrator, or a time server, sets the clocks of all machines. */
  void stepWallClock(Duration step) {
    wallClockAhead = wallClockAhead.plus(step);
  }

  /** Plans a task of a process, or of the world if that is null. */
  void after(@Nullable Actor actor, long nanos, Runnable task) {
    events.add(new Event(nowNanos + nanos, planned++, actor, task));
  }

  /**
   * Runs everything until a moment. The thread that made this object calls it.
   *
   * @throws ViolationException if an invariant does not hold
   */
  void runUntil(long endNanos, BooleanSupplier done) {
    await(() -> failure != null || done.getAsBoolean(), endNanos - nowNanos);
    if (failure != null) {
      throw failure instanceof ViolationException violation
          ? violation
          : new IllegalStateException("a simulated task failed", failure);
    }
  }

  /** Runs until every thread has ended; the processes of all of them are dead. */
  void endThreads() {
    await(() -> threads.size() == 1, 0);
  }

  /** Plans the start of a thread. */
  void start(Actor actor, String name, Runnable body) {
    start(actor, name, suspendable * SUSPENSION, random.nextLong(1_000_000), body);
  }

  /** Plans a task of a process that calls stores, and waits. */
  void startAfter(Actor actor, String name, long nanos, Runnable task) {
    start(actor, name, suspendable * SUSPENSION, nanos, task);
  }

  /** The thread that has the turn, which is no task. */
  SimulatedThread thread() {
    return Objects.requireNonNull(current);
  }

  /** Plans a task of a process that calls stores. */
  void afterCallingStores(Actor actor, String name, long nanos, Runnable task) {
    if (random.nextDouble() < suspendable) {
      start(actor, name, SUSPENSION, nanos, task);
    } else {
      after(actor, nanos, task);
    }
  }

  private void start(Actor actor, String name, double suspension, long nanos, Runnable body) {
    SimulatedThread[] made = new SimulatedThread[1];
    SimulatedThread thread =
        new SimulatedThread(
            actor, name, suspension, () -> pool.execute(() -> runThread(made[0], body)));
    made[0] = thread;
    threads.add(thread);
    actor.started(thread);
    long number = thread.beginWait(null);
    after(actor, nanos, () -> thread.alarm(number));
  }

  private void runThread(SimulatedThread thread, Runnable body) {
    current = thread;
    run(body);
    current = null;
    threads.remove(thread);
    Objects.requireNonNull(thread.actor()).ended(thread);
    next().resume();
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

  /** Ends a thread of a dead process, which unwinds at its next turn. */
  void end(SimulatedThread thread) {
    thread.kill();
    if (!thread.hasBegun()) {
      threads.remove(thread);
    }
  }

  /** The thread that has the turn waits for a condition, or for a time. */
  void await(@Nullable BooleanSupplier condition, long nanos) {
    SimulatedThread thread = current;
    if (thread == null) {
      throw new IllegalStateException("a task waits, and only threads may");
    }
    requireAlive(thread);
    pass(thread, condition, nanos);
    requireAlive(thread);
  }

  private static void requireAlive(SimulatedThread thread) {
    if (thread.killed()) {
      throw new KilledError(thread.toString());
    }
  }

  /** Lets others run until the condition holds or the time is over, and the process runs. */
  private void pass(SimulatedThread mine, @Nullable BooleanSupplier condition, long nanos) {
    long number = mine.beginWait(condition);
    after(null, nanos, () -> mine.alarm(number));
    current = null;
    next().resume();
    mine.pause();
    current = mine;
  }

  /** The next thread that can continue. Runs the tasks that are due before. */
  private SimulatedThread next() {
    try {
      while (true) {
        for (SimulatedThread thread : threads) {
          if (thread.canRun()) {
            return thread;
          }
        }
        runNextTask();
      }
    } catch (RuntimeException | Error e) {
      fail(e);
      return world;
    }
  }

  private void runNextTask() {
    Event next = nextRunnable();
    nowNanos = Math.max(nowNanos, next.atNanos());
    run(next.task());
  }

  /** The next task whose process can run it; drops those of the dead. */
  private Event nextRunnable() {
    List<Event> later = new ArrayList<>();
    Event found = null;
    while (found == null) {
      Event next = events.remove(); // one of them wakes the world
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

  /** Lets other processes run in the middle of a store's call, sometimes. */
  void interleave(Actor actor) {
    SimulatedThread mine = current;
    if (mine != null
        && mine.actor() == actor
        && actor.alive()
        && random.nextDouble() < mine.suspension()) {
      actor.suspendedIn(mine);
      pass(mine, null, random.nextLong(LONGEST_SUSPENSION_NANOS));
      actor.suspendedIn(null);
    }
  }

  /** Keeps a line of what happened. */
  void note(String subject, String what) {
    note(subject, () -> what);
  }

  /** Likewise; most lines are never read. */
  void note(String subject, Supplier<String> what) {
    if (trace.size() == TRACE_LINES) {
      trace.removeFirst();
    }
    trace.addLast(new Line(nowNanos, subject, what));
  }

  /** The last lines of what happened, each written when it is read. */
  List<String> trace() {
    List<Line> lines = List.copyOf(trace);
    return new AbstractList<>() {
      @Override
      public String get(int index) {
        return lines.get(index).toString();
      }

      @Override
      public int size() {
        return lines.size();
      }
    };
  }
}
