package io.cairn.engine.session;

import io.cairn.Member;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.coordination.Waits;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How long the training thread waits for something that another thread completes. The training
 * thread owns it.
 *
 * @param nanoTime the clock, as {@link System#nanoTime}
 * @param waits how the thread waits
 * @param endNanos when waiting ends
 * @param pointless whether waiting is pointless; asked several times per second; may throw
 */
record TrainingPatience(
    LongSupplier nanoTime, Waits waits, long endNanos, BooleanSupplier pointless) {
  /** A cancellation of the rank's work raises no signal, so it is asked for. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * The patience of a rank in the middle of its training. A later epoch ends the wait. A
   * cancellation or an interruption does so by a {@link CancellationException}.
   */
  static TrainingPatience of(
      SessionContext context, Member member, Membership membership, Duration time) {
    return new TrainingPatience(
        context.nanoTime(),
        context.waits(),
        context.nanoTime().getAsLong() + time.toNanos(),
        () -> {
          context.interruption().run();
          if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException(member + " was interrupted while it waited");
          }
          return membership.fencedBecause() != null;
        });
  }

  /** Waits; returns whether it is done. No exception completes {@code awaited}. */
  boolean await(CompletableFuture<?> awaited) {
    long leftNanos = left();
    while (!awaited.isDone() && leftNanos > 0 && !pointless.getAsBoolean()) {
      awaitSlice(awaited, Math.min(SLICE_NANOS, leftNanos));
      leftNanos = left();
    }
    return awaited.isDone();
  }

  /** Pauses for a while; returns whether there is time left, and a point in going on. */
  boolean pause(long nanos) {
    long end = Math.min(endNanos, nanoTime.getAsLong() + nanos);
    var unused =
        new TrainingPatience(nanoTime, waits, end, pointless).await(new CompletableFuture<>());
    return left() > 0 && !pointless.getAsBoolean();
  }

  private long left() {
    return endNanos - nanoTime.getAsLong();
  }

  private void awaitSlice(CompletableFuture<?> awaited, long nanos) {
    try {
      waits.await(awaited, nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
