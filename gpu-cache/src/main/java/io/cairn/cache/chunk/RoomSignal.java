package io.cairn.cache.chunk;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Signals changes that may make room. A caller that takes the next signal before it tries to
 * reserve misses no change. Thread-safe.
 */
final class RoomSignal {
  private final AtomicReference<CompletableFuture<@Nullable Void>> next =
      new AtomicReference<>(new CompletableFuture<@Nullable Void>());

  /** Completes at the next change. */
  CompletableFuture<@Nullable Void> next() {
    return next.get().copy();
  }

  /** Reports a change, after it; never under the cache's lock. */
  void changed() {
    next.getAndSet(new CompletableFuture<@Nullable Void>()).complete(null);
  }
}
