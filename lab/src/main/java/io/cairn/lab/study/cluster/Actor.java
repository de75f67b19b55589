package io.cairn.lab.study.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A process of the operating system, which can be killed, stopped and continued. */
final class Actor {
  private final Turns turns;
  private final String name;
  private final List<SimulatedThread> threads = new ArrayList<>();
  private final List<Runnable> atDeath = new ArrayList<>();
  private boolean alive = true;
  private long wakesAt;
  private long stoppedNanos;

  /** The thread that is suspended in the middle of a call; until it ends, no other runs. */
  private @Nullable SimulatedThread suspended;

  Actor(Turns turns, String name) {
    this.turns = turns;
    this.name = name;
  }

  String name() {
    return name;
  }

  boolean alive() {
    return alive;
  }

  /** When a stopped process continues. */
  long wakesAt() {
    return wakesAt;
  }

  boolean stopped() {
    return wakesAt > turns.nowNanos();
  }

  boolean busy() {
    return suspended != null;
  }

  /** Whether no other thread of it is suspended in the middle of a call. */
  boolean permits(SimulatedThread thread) {
    return suspended == null || suspended == thread;
  }

  void suspendedIn(@Nullable SimulatedThread thread) {
    suspended = thread;
  }

  /** Runs when the process is killed, such as to close its files. */
  void atDeath(Runnable task) {
    atDeath.add(task);
  }

  /** Takes a task back that {@link #atDeath} received. */
  void notAtDeath(Runnable task) {
    atDeath.remove(task);
  }

  /** The time of all stops so far, those under way included. */
  long stoppedNanos() {
    return stoppedNanos;
  }

  void stop(long nanos) {
    turns.note(name, "stops for " + nanos / 1_000_000 + " ms");
    stoppedNanos += nanos;
    wakesAt = Math.max(wakesAt, turns.nowNanos() + nanos);
    turns.after(null, nanos, () -> {}); // its threads are looked at then
  }

  /** No task or thread of it runs any more. */
  void kill(String reason) {
    if (alive) {
      alive = false;
      turns.note(name, "dies: " + reason);
      List.copyOf(atDeath).forEach(Runnable::run);
      List.copyOf(threads).forEach(turns::end);
    }
  }

  /** Runs tasks one after the other, each some time after it was handed over. */
  Executor executor(long delayNanos) {
    return new SerialExecutor(turns.random(), delayNanos, (n, task) -> turns.after(this, n, task));
  }

  /** Likewise, tasks that call stores, and may be suspended in their calls. */
  Executor executorCallingStores(String what, long delayNanos) {
    return new SerialExecutor(
        turns.random(),
        delayNanos,
        (n, task) -> turns.afterCallingStores(this, name + "/" + what, n, task));
  }

  /** Likewise, tasks that wait for other processes, too. */
  Executor executorThatWaits(String what, long delayNanos) {
    return new SerialExecutor(
        turns.random(),
        delayNanos,
        (n, task) -> turns.startAfter(this, name + "/" + what, n, task));
  }

  /** Starts a thread. */
  void start(String what, Runnable body) {
    turns.start(this, name + "/" + what, body);
  }

  void started(SimulatedThread thread) {
    threads.add(thread);
  }

  void ended(SimulatedThread thread) {
    threads.remove(thread);
  }

  @Override
  public String toString() {
    return name;
  }
}
