package io.cairn.cache.chunk;

import io.cairn.core.model.ChunkReader;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Keeps chunks in their places, unchanged, until it is closed. Thread-safe. */
public final class Pin implements AutoCloseable {
  private final Supplier<ChunkReader> reader;
  private final Runnable unpin;
  private final AtomicBoolean open = new AtomicBoolean(true);

  /**
   * An open pin.
   *
   * @param reader reads the pinned chunks
   * @param unpin called once, by the thread that closes the pin; must not block
   */
  public Pin(Supplier<ChunkReader> reader, Runnable unpin) {
    this.reader = reader;
    this.unpin = unpin;
  }

  /** Reads the pinned chunks until the pin is closed; see {@link CachedCheckpoint#reader}. */
  public ChunkReader reader() {
    return reader.get();
  }

  /** Unpins; never blocks. Idempotent. */
  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      unpin.run();
    }
  }
}
