package io.cairn.engine.coordination;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Every wait of a rank's thread, of the thread that reaches its coordinator, and of those that ask
 * other nodes. A simulation waits in virtual time. Thread-safe.
 */
public interface Waits {
  /** Waits in real time. */
  Waits REAL =
      new Waits() {
        @Override
        public void sleep(long millis) throws InterruptedException {
          TimeUnit.MILLISECONDS.sleep(millis);
        }

        @Override
        public <T> @Nullable T poll(BlockingQueue<T> queue, long millis)
            throws InterruptedException {
          return queue.poll(millis, TimeUnit.MILLISECONDS);
        }

        @Override
        public boolean await(CompletableFuture<?> awaited, long nanos) throws InterruptedException {
          try {
            awaited.get(nanos, TimeUnit.NANOSECONDS);
            return true;
          } catch (ExecutionException e) {
            return true;
          } catch (TimeoutException e) {
            return false;
          }
        }
      };

  /** Waits for a time. */
  void sleep(long millis) throws InterruptedException;

  /** Takes an element, waiting for one for at most a time; null if none came. */
  <T> @Nullable T poll(BlockingQueue<T> queue, long millis) throws InterruptedException;

  /**
   * Waits until something is complete, in whichever way, for at most a time.
   *
   * @return whether it is complete
   */
  boolean await(CompletableFuture<?> awaited, long nanos) throws InterruptedException;

  /** Waits until something is complete, in whichever way; it ends by itself. */
  default void awaitEnd(CompletableFuture<?> awaited) throws InterruptedException {
    boolean complete = false;
    while (!complete) {
      complete = await(awaited, TimeUnit.HOURS.toNanos(1));
    }
  }

  /**
   * Fails something with {@link TimeoutException} after a time, unless it is complete by then.
   *
   * @return the same
   */
  default <T> CompletableFuture<T> failAfter(CompletableFuture<T> awaited, long nanos) {
    return awaited.orTimeout(nanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Completes something with a value after a time, unless it is complete by then.
   *
   * @return the same
   */
  default <T> CompletableFuture<T> completeAfter(
      CompletableFuture<T> awaited, T value, long nanos) {
    return awaited.completeOnTimeout(value, nanos, TimeUnit.NANOSECONDS);
  }

  /** Runs a task after a time, on a thread that no other wait depends on. */
  default void runAfter(Runnable task, long nanos) {
    CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
  }
}
