package io.cairn.engine.runtime;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.core.sharing.Occupancy;

/**
 * The use of a process's device cache, in slots. The figures are read one after the other, while
 * trainings go on. Immutable.
 *
 * @param own with chunks of the process's own ranks
 * @param leased to other processes, without those in quarantine
 * @param free of both
 * @param quarantined without a promise, while a borrower may still write to them
 * @param slotBytes of one slot
 */
public record CacheUse(int own, int leased, int free, int quarantined, long slotBytes) {
  /** The use of a cache, of which peers use these slots. */
  static CacheUse of(ChunkCache cache, Occupancy peers) {
    int lent = cache.lentSlots().count();
    int quarantined = Math.min(lent, peers.quarantined());
    int free = cache.freeSlots();
    int own = Math.max(0, cache.slots() - free - lent);
    return new CacheUse(own, lent - quarantined, free, quarantined, cache.chunkBytes());
  }
}
