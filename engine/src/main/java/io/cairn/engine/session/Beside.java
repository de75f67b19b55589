package io.cairn.engine.session;

import io.cairn.Outcome;
import io.cairn.cache.capture.CaptureBeside;
import io.cairn.engine.session.Captures.Request;
import io.cairn.engine.session.Timing.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A capture that a thread of Cairn begins and copies while the training goes on. A training that
 * waits for it does itself what that thread has not begun. If the cache had no room for it, the
 * training then captures in place. The training thread owns it, and a thread of Cairn calls {@link
 * #begin} alone.
 */
final class Beside {
  private final Request request;
  private final Waiting waiting;
  private final Supplier<Optional<CaptureBeside>> start;
  private final Runnable inPlace;

  /** Whether it is decided which thread begins it, if any. */
  private final AtomicBoolean claimed = new AtomicBoolean();

  /** The copies; empty if there are none, and will be none. */
  private final CompletableFuture<Optional<CaptureBeside>> begun = new CompletableFuture<>();

  /** Completes when its bytes are known to be of one iteration, or it has failed. */
  private final CompletableFuture<?> mayLand;

  /** Whether the training has waited until every region could be written. */
  private boolean free;

  /**
   * Nothing is begun yet.
   *
   * @param waiting the time that the training waits for it
   * @param mayLand is completed when the training has waited, or not waited in time: the capture
   *     lands then
   * @param start begins the copies, if the cache has room now; throws nothing, and never waits
   * @param inPlace captures on the training thread; throws nothing but a cancellation
   */
  Beside(
      Request request,
      Waiting waiting,
      CompletableFuture<?> mayLand,
      Supplier<Optional<CaptureBeside>> start,
      Runnable inPlace) {
    this.request = request;
    this.waiting = waiting;
    this.mayLand = mayLand;
    this.start = start;
    this.inPlace = inPlace;
  }

  /** Begins it, unless another thread has. */
  void begin() {
    if (claimed.compareAndSet(false, true)) {
      Optional<CaptureBeside> copies = Optional.empty();
      try {
        copies = start.get();
      } finally {
        // a defect of the start must not stop the training for good
        begun.complete(copies);
      }
    }
  }

  /** Copies what is left, and waits until all regions may be written; returns for how long. */
  long await() {
    return await(CaptureBeside::awaitFree, Long.MAX_VALUE);
  }

  /**
   * Like {@link #await()}, for at most {@code patience} where a device waits for work of the
   * application. Then the capture fails, and its memory must not be freed yet.
   */
  void await(Duration patience) {
    var unused =
        await(
            copies -> {
              if (!copies.awaitFree(patience.toNanos())) {
                copies.fail(
                    new IOException(
                        request.ticket().id()
                            + " is not copied after "
                            + patience
                            + ", since the application's work on the device has not ended"));
              }
            },
            patience.toNanos());
  }

  /** Likewise, for one region. */
  long await(String region) {
    return await(copies -> copies.awaitFree(region), Long.MAX_VALUE);
  }

  private long await(Consumer<CaptureBeside> copying, long patienceNanos) {
    waiting.begin();
    long waitedNanos;
    try {
      begin();
      begun.join().ifPresentOrElse(copying, () -> captureInPlace(patienceNanos));
    } finally {
      waitedNanos = waiting.end();
    }
    allowWrites();
    return waitedNanos;
  }

  private void captureInPlace(long patienceNanos) {
    CompletableFuture<Outcome> captured = request.ticket().captured();
    if (!captured.isDone()) {
      inPlace.run();
      boolean unused =
          captured
              .handle((outcome, failure) -> true)
              .completeOnTimeout(false, patienceNanos, TimeUnit.NANOSECONDS)
              .join();
    }
  }

  /** The thread that lands the capture reports a failure. */
  private void allowWrites() {
    Optional<CaptureBeside> copies = begun.join();
    free = copies.map(CaptureBeside::isFree).orElseGet(request.ticket().captured()::isDone);
    boolean failed = copies.map(CaptureBeside::hasFailed).orElse(false);
    if (free && copies.isPresent() && !failed) {
      request.epoch().tickets().capture(request.ticket(), request.captured());
    }
    if (free || failed) { // a device that does not answer may never free them
      mayLand.complete(null);
    }
  }

  /**
   * The training has computed another iteration. If it did not wait for each region, it may have
   * written under the copy, however early that ended: nothing shows whether a byte was read before
   * or after.
   */
  void overtaken() {
    if (free) {
      return;
    }
    if (claimed.compareAndSet(false, true)) {
      begun.complete(Optional.empty());
    }
    Optional<CaptureBeside> copies = begun.join();
    fail(copies);
    copies.ifPresent(CaptureBeside::awaitFree);
    allowWrites();
  }

  private void fail(Optional<CaptureBeside> copies) {
    IOException torn =
        new IOException(
            request.ticket().id()
                + " was copied beside its training, which went on to the next iteration without"
                + " awaitCaptured() for each region, and so may have written under the copy; call"
                + " awaitCaptured() before the regions are written");
    if (copies.isPresent()) {
      copies.get().fail(torn);
    } else if (!request.ticket().captured().isDone()) {
      request.epoch().fail(request.ticket(), torn);
    }
  }
}
