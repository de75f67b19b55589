package io.cairn.cache.chunk;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * The slots of a cache that are lent to other processes. A lent slot is out of the cache: no
 * capture gets it until it is taken back. The lender's lease book alone decides the use of a lent
 * slot, and when it may be taken back. Thread-safe.
 */
public final class LentSlots {
  private final ChunkCache cache;
  private final SlotPool slots;
  private final ResidentCheckpoints residents;

  /** Changed under the cache's lock. */
  private final BitSet lent = new BitSet();

  LentSlots(ChunkCache cache, SlotPool slots, ResidentCheckpoints residents) {
    this.cache = cache;
    this.slots = slots;
    this.residents = residents;
  }

  /**
   * Handles to all slots of the cache. A peer on this node opens them once and keeps them open,
   * until their memory is given up; each lease names the slots that it may use by number.
   */
  public List<SlotExport> exports() {
    return slots.exports();
  }

  /**
   * How many slots could be lent now: the free ones, and those of checkpoints that are complete,
   * unpinned and superseded. A checkpoint is superseded unless it is its rank's newest, or the
   * newest that its group has sealed. One slot of the cache is never lent, and none of a device
   * that is dead. The count may fall at once; {@link #lend} returns the slots that it took.
   */
  public int spare() {
    synchronized (cache.lock()) {
      return spare(residents.superseded());
    }
  }

  private int spare(Predicate<CachedCheckpoint> evictable) {
    // a borrower that is stopped keeps its slots; a fall-back of this process needs one
    int lendable = slots.slots() - 1 - countStaying();
    boolean lends = !cache.isClosed() && !cache.memory().isDead();
    return lends ? Math.max(0, Math.min(lendable, residents.room(slots, evictable))) : 0;
  }

  /**
   * Takes slots out of the cache. If too few are free, evicts checkpoints that are superseded, the
   * oldest first, as far as {@link #spare} allows; never a checkpoint that is pinned, reserved, its
   * rank's newest, or the newest that its group has sealed.
   *
   * @param wanted 0 or more
   * @return their numbers: as many as were wanted, or all that can be spared
   */
  public int[] lend(int wanted) {
    Aftermath after = new Aftermath();
    int[] taken;
    synchronized (cache.lock()) {
      taken = takeSpare(wanted, after);
      for (int slot : taken) {
        lent.set(slot);
      }
    }
    cache.finish(after);
    return taken;
  }

  private int countStaying() {
    return lent.cardinality() - countLeaving();
  }

  private int countLeaving() {
    return slots.isLeaving() ? (int) lent.stream().filter(slots::isLeaving).count() : 0;
  }

  /** The number of lent slots in the slab that {@linkplain Shrinking leaves}. */
  public int leaving() {
    synchronized (cache.lock()) {
      return countLeaving();
    }
  }

  private int[] takeSpare(int wanted, Aftermath after) {
    Predicate<CachedCheckpoint> evictable = residents.superseded();
    int taken = Math.min(wanted, spare(evictable));
    cache.makeRoom(slots, taken, evictable, after);
    return slots.take(taken);
  }

  /** The number of lent slots. */
  public int count() {
    synchronized (cache.lock()) {
      return lent.cardinality();
    }
  }

  /**
   * The place of a lent slot.
   *
   * @throws IllegalArgumentException if it is not lent
   */
  public Place place(int slot) {
    synchronized (cache.lock()) {
      requireLent(slot);
      return slots.place(slot);
    }
  }

  /**
   * Takes slots back into the cache, which may use them at once. If the cache is closed, their
   * memory stays allocated until the device is closed.
   *
   * @throws IllegalArgumentException naming the first that is not lent, such as one that was taken
   *     back before; none is taken back then
   */
  public void takeBack(int... numbers) {
    cache.locked(
        later -> {
          for (int slot : numbers) {
            requireLent(slot);
          }
          for (int slot : numbers) {
            if (lent.get(slot)) {
              lent.clear(slot);
              giveBack(slot, later);
            }
          }
        });
  }

  private void giveBack(int slot, List<Runnable> later) {
    if (!cache.isClosed()) {
      slots.giveBack(new int[] {slot}, later);
    }
  }

  private void requireLent(int slot) {
    if (slot < 0 || !lent.get(slot)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "slot %d of %d is not lent", slot, slots.numbers()));
    }
  }
}
