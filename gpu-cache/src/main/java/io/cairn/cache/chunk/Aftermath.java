package io.cairn.cache.chunk;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What a change under the cache's lock leaves to be done without it. */
final class Aftermath {
  private final List<CachedCheckpoint> evicted = new ArrayList<>();
  private final List<Runnable> returns = new ArrayList<>();

  void evicted(CachedCheckpoint checkpoint) {
    evicted.add(checkpoint);
  }

  /** What gives places back to those who lent them. */
  List<Runnable> returns() {
    return returns;
  }

  /** Tells of the evictions, then gives back. */
  void run(List<Consumer<CachedCheckpoint>> listeners) {
    for (CachedCheckpoint gone : evicted) {
      listeners.forEach(listener -> listener.accept(gone));
    }
    returns.forEach(Runnable::run);
  }
}
