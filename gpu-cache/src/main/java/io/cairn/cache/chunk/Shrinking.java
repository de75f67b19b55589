package io.cairn.cache.chunk;

import io.cairn.cache.memory.DeviceMemory;

/**
 * Gives slabs of a cache back to other users of the device, one after the other. A slab leaves:
 * none of its slots is taken any more. When all of them are back, the device {@linkplain
 * DeviceMemory#giveUp gives its memory} to others. The cache never grows again. Thread-safe.
 */
public final class Shrinking {
  private final ChunkCache cache;
  private final SlotPool slots;
  private final ResidentCheckpoints residents;

  Shrinking(ChunkCache cache, SlotPool slots, ResidentCheckpoints residents) {
    this.cache = cache;
    this.slots = slots;
    this.residents = residents;
  }

  /**
   * Lets the slab with the fewest taken slots leave. The caller takes lent slots back, and calls
   * {@link #vacate} until the slab is gone.
   *
   * @return how many slots the cache has less; 0 while a slab leaves, and for the last slab
   */
  public int begin() {
    int before = cache.slots();
    cache.locked(slots::leave);
    return before - cache.slots();
  }

  /**
   * Evicts checkpoints with chunks in the slab that leaves: those that are complete, unpinned, and
   * either superseded or sealed at a level below. A rank so keeps its newest checkpoint until
   * another level or another slab has one.
   *
   * @return whether slots of the slab are still taken
   */
  public boolean vacate() {
    Aftermath after = new Aftermath();
    synchronized (cache.lock()) {
      residents.leavingSlab(slots).forEach(one -> cache.evict(one, after));
    }
    cache.finish(after);
    return isUnderWay();
  }

  /** Whether a slab leaves. */
  public boolean isUnderWay() {
    synchronized (cache.lock()) {
      return slots.isLeaving();
    }
  }
}
