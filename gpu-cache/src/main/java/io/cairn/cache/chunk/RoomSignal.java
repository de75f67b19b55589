package io.cairn.cache.chunk;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Signals changes that may make room. A caller that takes the next signal before it tries to
 * reserve misses no change. Costs one read per change while no caller waits. Thread-safe.
 */
final class RoomSignal {
  /** Null while no caller waits. */
  private final AtomicReference<@Nullable CompletableFuture<?>> next = new AtomicReference<>();

  /** Completes at the next change. */
  CompletableFuture<?> next() {
    CompletableFuture<?> fresh = new CompletableFuture<>();
    CompletableFuture<?> before = next.compareAndExchange(null, fresh);
    return (before == null ? fresh : before).copy();
  }

  /** Reports a change, after it; never under the cache's lock. */
  void changed() {
    if (next.get() != null) {
      CompletableFuture<?> waited = next.getAndSet(null);
      if (waited != null) {
        waited.complete(null);
      }
    }
  }
}
