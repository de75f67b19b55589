package io.cairn.lab.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** A process of the operating system, which can be killed, stopped and continued. */
final class Actor {
  private final Turns turns;
  private final String name;
  private final List<SimulatedThread> threads = new ArrayList<>();
  private final List<Runnable> atDeath = new ArrayList<>();
  private boolean alive = true;
  private long wakesAt;

  /** Whether a call of its own is suspended on the stack, so that no other may begin. */
  private boolean busy;

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
    return busy;
  }

  void busy(boolean now) {
    busy = now;
  }

  /** Runs when the process is killed, such as to close its files. */
  void atDeath(Runnable task) {
    atDeath.add(task);
  }

  void stop(long nanos) {
    turns.note(name, "stops for " + nanos / 1_000_000 + " ms");
    wakesAt = Math.max(wakesAt, turns.nowNanos() + nanos);
  }

  /** No task or thread of it runs any more. */
  void kill(String reason) {
    if (alive) {
      alive = false;
      turns.note(name, "dies: " + reason);
      atDeath.forEach(Runnable::run);
      List.copyOf(threads).forEach(turns::end);
    }
  }

  /** Runs tasks one after the other, each some time after it was handed over. */
  Executor executor(String what, long delayNanos) {
    return new SerialExecutor(turns, this, what, delayNanos);
  }

  /** Starts a thread. */
  SimulatedThread start(String what, Runnable body) {
    SimulatedThread thread = turns.start(this, name + "/" + what, body);
    threads.add(thread);
    return thread;
  }

  void ended(SimulatedThread thread) {
    threads.remove(thread);
  }

  @Override
  public String toString() {
    return name;
  }
}
