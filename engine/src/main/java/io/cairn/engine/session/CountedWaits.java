package io.cairn.engine.session;

import io.cairn.engine.coordination.Waits;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts the time that a rank waits for answers. The training thread owns it. */
final class CountedWaits implements Waits {
  private final Waits waits;
  private final LongSupplier nanoTime;
  private long nanos;

  CountedWaits(Waits waits, LongSupplier nanoTime) {
    this.waits = waits;
    this.nanoTime = nanoTime;
  }

  /** The time of all waits for answers since the last reset. */
  long nanos() {
    return nanos;
  }

  void reset() {
    nanos = 0;
  }

  @Override
  public void sleep(long millis) throws InterruptedException {
    waits.sleep(millis);
  }

  @Override
  public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) throws InterruptedException {
    long begin = nanoTime.getAsLong();
    try {
      return waits.poll(queue, millis);
    } finally {
      nanos += nanoTime.getAsLong() - begin;
    }
  }

  @Override
  public boolean await(CompletableFuture<?> awaited, long timeNanos) throws InterruptedException {
    return waits.await(awaited, timeNanos);
  }

  @Override
  public <T> CompletableFuture<T> failAfter(CompletableFuture<T> awaited, long timeNanos) {
    return waits.failAfter(awaited, timeNanos);
  }

  @Override
  public <T> CompletableFuture<T> completeAfter(
      CompletableFuture<T> awaited, T value, long timeNanos) {
    return waits.completeAfter(awaited, value, timeNanos);
  }
}
