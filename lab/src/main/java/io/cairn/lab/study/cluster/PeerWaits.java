package io.cairn.lab.study.cluster;

import io.cairn.engine.coordination.Waits;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The waits of one process for answers of other nodes, added up for each of its threads.
 *
 * @param turns know the time, and which thread waits
 * @param waited in nanoseconds, by thread
 */
record PeerWaits(Turns turns, Waits waits, Map<SimulatedThread, Long> waited) implements Waits {
  PeerWaits(Turns turns, Actor actor) {
    this(turns, new VirtualWaits(turns, actor), new HashMap<>());
  }

  /** The time that the present thread has waited so far. */
  long waitedNanos() {
    return waited.getOrDefault(turns.thread(), 0L);
  }

  @Override
  public void sleep(long millis) throws InterruptedException {
    waits.sleep(millis);
  }

  @Override
  public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) throws InterruptedException {
    return waits.poll(queue, millis);
  }

  @Override
  public boolean await(CompletableFuture<?> awaited, long nanos) throws InterruptedException {
    long begin = turns.nowNanos();
    boolean complete = waits.await(awaited, nanos);
    waited.merge(turns.thread(), turns.nowNanos() - begin, Long::sum);
    return complete;
  }

  @Override
  public <T> CompletableFuture<T> failAfter(CompletableFuture<T> awaited, long nanos) {
    return waits.failAfter(awaited, nanos);
  }

  @Override
  public <T> CompletableFuture<T> completeAfter(CompletableFuture<T> awaited, T value, long nanos) {
    return waits.completeAfter(awaited, value, nanos);
  }

  @Override
  public void runAfter(Runnable task, long nanos) {
    waits.runAfter(task, nanos);
  }
}
