package io.cairn.lab.study.cluster;

import io.cairn.engine.coordination.Waits;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits of one process, in the virtual time of a simulation. */
record VirtualWaits(Turns turns, Actor actor) implements Waits {
  private static final long MILLI = 1_000_000;

  @Override
  public void sleep(long millis) {
    turns.await(null, millis * MILLI);
  }

  @Override
  public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) {
    if (queue.isEmpty()) {
      turns.await(() -> !queue.isEmpty(), millis * MILLI);
    }
    return queue.poll();
  }

  @Override
  public boolean await(CompletableFuture<?> awaited, long nanos) {
    if (!awaited.isDone()) {
      turns.await(awaited::isDone, nanos);
    }
    return awaited.isDone();
  }

  @Override
  public <T> CompletableFuture<T> failAfter(CompletableFuture<T> awaited, long nanos) {
    turns.after(
        actor,
        nanos,
        () -> awaited.completeExceptionally(new TimeoutException("none within " + nanos + " ns")));
    return awaited;
  }

  @Override
  public <T> CompletableFuture<T> completeAfter(CompletableFuture<T> awaited, T value, long nanos) {
    turns.after(actor, nanos, () -> awaited.complete(value));
    return awaited;
  }

  @Override
  public void runAfter(Runnable task, long nanos) {
    turns.after(actor, nanos, task);
  }
}
