package io.cairn.cache.chunk;

import io.cairn.GroupId;
import io.cairn.cache.memory.DeviceAddress;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives a cache room for two checkpoints of each rank that uses it and one chunk more, and for 16
 * chunks at least, as far as its bound allows. A cache never shrinks by this: a rank that comes
 * later finds the slots of one that has left. Thread-safe.
 */
public final class Growth {
  /** A rank whose state grows a little at each capture must not take memory at each. */
  private static final int LEAST_PART = 8;

  /** With two small checkpoints alone, captures would be skipped while two levels read them. */
  private static final int LEAST_SLOTS = 16;

  private final ChunkCache cache;
  private final SlotPool slots;
  private final Map<Rank, Integer> chunks = new HashMap<>();

  /** The size that the memory had no room for; 0 if it never lacked any. */
  private long refused;

  private record Rank(GroupId group, int rank) {}

  Growth(ChunkCache cache, SlotPool slots) {
    this.cache = cache;
    this.slots = slots;
  }

  /**
   * Notes the length of a rank's checkpoints, in place of an earlier one.
   *
   * @return whether the cache is to {@link #grow}
   */
  public synchronized boolean expect(GroupId group, int rank, int checkpointChunks) {
    chunks.put(new Rank(group, rank), checkpointChunks);
    return missing() > 0;
  }

  /** Expects no checkpoint of this rank any more. */
  public synchronized void forget(GroupId group, int rank) {
    refused = 0;
    chunks.remove(new Rank(group, rank));
  }

  /** The bytes of the cache once it has grown. */
  public synchronized long bytes() {
    return (slots.taken() + missing()) * (long) cache.chunkBytes();
  }

  /** The bytes that the cache takes if its bound allows them. */
  public synchronized long wantedBytes() {
    return wanted() * cache.chunkBytes();
  }

  /**
   * Takes the memory that is missing, and waits until it is touched. Where there is no room for two
   * checkpoints of each rank, takes that for one.
   *
   * @throws IOException if the device has no room for all of it, or others there would keep less
   *     than it takes; the cache asks again when its ranks need another size, or one has left
   */
  public synchronized void grow() throws IOException {
    int missing = (int) missing();
    if (missing == 0) {
      return;
    }
    try {
      take(missing);
      refused = 0;
    } catch (IOException e) {
      refused = wanted();
      int least = (int) Math.min(missing - 1, wanted(1) - slots.taken());
      if (least > 0) {
        try {
          take(least);
        } catch (IOException again) {
          e.addSuppressed(again);
        }
      }
      throw e;
    }
  }

  private void take(int count) throws IOException {
    cache.memory().requireShare((long) count * cache.chunkBytes());
    List<DeviceAddress> allocated = slots.allocate(count);
    cache.locked(later -> slots.add(allocated, later));
  }

  /** Whether the memory refused about as much: states of any length do not ask at each capture. */
  private boolean isRefused() {
    long wanted = wanted();
    return refused > 0 && wanted >= refused && wanted < refused + refused / LEAST_PART;
  }

  private long wanted() {
    return Math.max(LEAST_SLOTS, wanted(2));
  }

  /** With so many checkpoints of each rank. */
  private long wanted(long checkpoints) {
    return chunks.values().stream().mapToLong(count -> checkpoints * count).sum() + 1;
  }

  /** Slots to take. */
  private long missing() {
    long lacking = wanted() - slots.taken();
    boolean shrunk = slots.slots() < slots.taken(); // the training lacked memory
    if (lacking <= 0 || shrunk || isRefused()) {
      return 0;
    }
    long step = Math.max(lacking, slots.taken() / LEAST_PART);
    return Math.min(step, slots.numbers() - slots.taken());
  }
}
