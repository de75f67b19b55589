package io.cairn.lab.cluster;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** A thread of a process that runs tasks and never waits for anything but a store. */
final class SerialExecutor implements Executor {
  private final Turns turns;
  private final Actor actor;
  private final String name;
  private final long delayNanos;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean running;

  SerialExecutor(Turns turns, Actor actor, String name, long delayNanos) {
    this.turns = turns;
    this.actor = actor;
    this.name = name;
    this.delayNanos = delayNanos;
  }

  @Override
  public void execute(Runnable task) {
    waiting.add(task);
    if (!running) {
      running = true;
      soon();
    }
  }

  private void soon() {
    turns.after(actor, 1 + turns.random().nextLong(delayNanos), this::runNext);
  }

  private void runNext() {
    Runnable task = waiting.remove();
    try {
      task.run();
    } finally {
      running = !waiting.isEmpty();
      if (running) {
        soon();
      }
    }
  }

  @Override
  public String toString() {
    return actor + "/" + name;
  }
}
