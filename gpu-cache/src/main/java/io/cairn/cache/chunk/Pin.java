package io.cairn.cache.chunk;

import java.util.concurrent.atomic.AtomicBoolean;

/** Keeps a checkpoint's slots as they are until it is closed. Thread-safe. */
public final class Pin implements AutoCloseable {
  private final CachedCheckpoint checkpoint;
  private final AtomicBoolean open = new AtomicBoolean(true);

  Pin(CachedCheckpoint checkpoint) {
    this.checkpoint = checkpoint;
  }

  /** The checkpoint that is pinned. */
  public CachedCheckpoint checkpoint() {
    return checkpoint;
  }

  /** Unpins; never blocks. Idempotent. */
  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      checkpoint.unpin();
    }
  }
}
