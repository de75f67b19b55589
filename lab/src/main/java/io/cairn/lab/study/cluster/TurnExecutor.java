package io.cairn.lab.study.cluster;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A thread of a simulated process, which runs one task at a time, now or later in virtual time. It
 * keeps nothing to itself that a task throws. Not thread-safe: whoever has the turn uses it.
 */
final class TurnExecutor extends AbstractExecutorService implements ScheduledExecutorService {
  private final Turns turns;
  private final Actor actor;
  private final Executor tasks;
  private boolean ended;

  /**
   * A thread that has not begun.
   *
   * @param tasks runs them in order, such as {@link Actor#executor}
   */
  TurnExecutor(Turns turns, Actor actor, Executor tasks) {
    this.turns = turns;
    this.actor = actor;
    this.tasks = tasks;
  }

  @Override
  public void execute(Runnable task) {
    if (ended) {
      throw new RejectedExecutionException(actor + " has ended this thread");
    }
    tasks.execute(task);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    Alarm alarm = new Alarm();
    turns.after(actor, unit.toNanos(delay), () -> run(alarm, task));
    return alarm;
  }

  private void run(Alarm alarm, Runnable task) {
    if (!ended && !alarm.isDone()) {
      execute(
          () -> {
            if (!alarm.isDone()) {
              task.run();
            }
          });
    }
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long initialDelay, long delay, TimeUnit unit) {
    Alarm alarm = new Alarm();
    repeat(alarm, task, unit.toNanos(initialDelay), unit.toNanos(delay));
    return alarm;
  }

  private void repeat(Alarm alarm, Runnable task, long nanos, long delayNanos) {
    Runnable once =
        () -> {
          task.run();
          repeat(alarm, task, delayNanos, delayNanos);
        };
    turns.after(actor, nanos, () -> run(alarm, once));
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException("no thread of sharing computes a value later");
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable task, long initialDelay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException("no thread of sharing has a fixed rate");
  }

  @Override
  public void shutdown() {
    ended = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    ended = true;
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return ended;
  }

  @Override
  public boolean isTerminated() {
    return ended;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return ended;
  }

  /** A task to come, which may be cancelled. */
  private static final class Alarm implements ScheduledFuture<Object> {
    private boolean cancelled;

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      cancelled = true;
      return true;
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }

    @Override
    public boolean isDone() {
      return cancelled;
    }

    @Override
    public Object get() {
      throw new UnsupportedOperationException("nobody waits for an alarm");
    }

    @Override
    public Object get(long timeout, TimeUnit unit) {
      return get();
    }

    @Override
    public long getDelay(TimeUnit unit) {
      throw new UnsupportedOperationException("nobody asks an alarm for its time");
    }

    @Override
    public int compareTo(Delayed other) {
      throw new UnsupportedOperationException("alarms have no order");
    }
  }
}
