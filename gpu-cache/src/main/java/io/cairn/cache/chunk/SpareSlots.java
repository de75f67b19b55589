package io.cairn.cache.chunk;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Slots in device memory that belong to no checkpoint for a while: nobody else uses them until they
 * are given back. Thread-safe.
 */
public final class SpareSlots implements AutoCloseable {
  private final ChunkCache cache;
  private final int[] numbers;
  private final AtomicBoolean open = new AtomicBoolean(true);

  private SpareSlots(ChunkCache cache, int[] numbers) {
    this.cache = cache;
    this.numbers = numbers;
  }

  /**
   * Takes free slots, and evicts nothing for them.
   *
   * @param slots 0 or more
   * @return empty if fewer are free, or the cache is closed
   */
  public static Optional<SpareSlots> take(ChunkCache cache, int slots) {
    synchronized (cache.lock()) {
      SlotPool own = cache.own();
      return cache.isClosed() || own.freeSlots() < slots
          ? Optional.empty()
          : Optional.of(new SpareSlots(cache, own.take(slots)));
    }
  }

  /** The place of a slot, 0 to one less than were taken; not to be used after {@link #close}. */
  public Place place(int slot) {
    return cache.own().place(numbers[slot]);
  }

  /** Gives the slots back to the cache. Idempotent. */
  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      cache.locked(later -> cache.own().giveBack(numbers, later));
    }
  }
}
