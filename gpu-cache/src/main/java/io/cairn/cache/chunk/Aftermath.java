package io.cairn.cache.chunk;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Work that a change under the cache's lock leaves for the time after it. Not thread-safe. */
final class Aftermath {
  private final List<CachedCheckpoint> evicted = new ArrayList<>();
  private final List<Runnable> returns = new ArrayList<>();

  void evicted(CachedCheckpoint checkpoint) {
    evicted.add(checkpoint);
  }

  /** Actions that return places to their owners. */
  List<Runnable> returns() {
    return returns;
  }

  /** Reports the evictions, then returns the places. */
  void run(List<Consumer<CachedCheckpoint>> listeners) {
    for (CachedCheckpoint gone : evicted) {
      listeners.forEach(listener -> listener.accept(gone));
    }
    returns.forEach(Runnable::run);
  }
}
