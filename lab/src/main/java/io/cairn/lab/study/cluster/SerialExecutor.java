package io.cairn.lab.study.cluster;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/** A thread of a process that runs tasks and never waits for anything but a store. */
final class SerialExecutor implements Executor {
  private final SplittableRandom random;
  private final long delayNanos;
  private final Plan plan;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean running;

  /** Plans a task for some time from now. */
  interface Plan {
    void after(long nanos, Runnable task);
  }

  SerialExecutor(SplittableRandom random, long delayNanos, Plan plan) {
    this.random = random;
    this.delayNanos = delayNanos;
    this.plan = plan;
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
    plan.after(1 + random.nextLong(delayNanos), this::runNext);
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
}
