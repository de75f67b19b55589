package io.cairn.cache.chunk;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.util.List;
import java.util.Optional;

/**
 * One rank's checkpoint in the cache: reserved, then complete, then gone (evicted or discarded). It
 * is never evicted while it is reserved or pinned. Thread-safe.
 */
public final class CachedCheckpoint {
  /** Where it is in its life; changed under the cache's lock alone, as are the pins. */
  enum State {
    RESERVED,
    COMPLETE,
    GONE
  }

  private final ChunkCache cache;
  private final CheckpointId id;
  private final int rank;
  private final int[] slots;
  private State state = State.RESERVED;
  private int pins;
  private volatile Contents contents = Contents.NONE;

  CachedCheckpoint(ChunkCache cache, CheckpointId id, int rank, int[] slots) {
    this.cache = cache;
    this.id = id;
    this.rank = rank;
    this.slots = slots;
  }

  /** The checkpoint. */
  public CheckpointId id() {
    return id;
  }

  /** The rank whose data it holds. */
  public int rank() {
    return rank;
  }

  /** How many chunks it has room for. */
  public int slots() {
    return slots.length;
  }

  /** Length of a slot in bytes. */
  public int chunkBytes() {
    return cache.chunkBytes();
  }

  /** The memory of one of its slots, 0 to {@code slots() - 1}; use it only while it is pinned. */
  public DeviceAddress slot(int index) {
    return cache.address(slots[index]);
  }

  /**
   * Says that its capture is done: from now on it is found, read and may be evicted, unless it was
   * pinned before. Chunk k of the first region lies in slot k, the next region's follow.
   *
   * @throws IllegalStateException if it is complete already, or was discarded
   * @throws IllegalArgumentException if the images' chunks are not as many as the slots, or of
   *     another length
   */
  public void complete(List<RegionImage> images, Ancestry ancestry) {
    Contents captured = Contents.of(this, images, ancestry);
    synchronized (cache.lock()) {
      if (state != State.RESERVED) {
        throw new IllegalStateException(this + " cannot be completed: it is " + state);
      }
      contents = captured;
      state = State.COMPLETE;
    }
  }

  /** What its regions were, in the order of protection; empty until it is complete. */
  public List<RegionImage> images() {
    return contents.images();
  }

  /** What its epoch descends from; {@link Ancestry#NONE} until it is complete. */
  public Ancestry ancestry() {
    return contents.ancestry();
  }

  /** Keeps it from eviction until the pin is closed; empty if it is gone. */
  public Optional<Pin> pin() {
    synchronized (cache.lock()) {
      if (state == State.GONE) {
        return Optional.empty();
      }
      pins++;
      return Optional.of(new Pin(this));
    }
  }

  /**
   * Reads its chunks, while it is complete and pinned; it waits for each copy to land, through
   * interruptions too, since the copy would land all the same. The reader throws {@link
   * IllegalStateException} if no pin is open. Thread-safe for different buffers.
   */
  public ChunkReader reader() {
    return new SlotReader(this, contents, cache.memory());
  }

  /**
   * Drops it now, or when its last pin is closed; from now on it is neither found nor pinned.
   * Idempotent.
   */
  public void discard() {
    cache.drop(this);
  }

  /** Whether it may be evicted. Under the lock. */
  boolean evictable() {
    return state == State.COMPLETE && pins == 0;
  }

  /** Whether it is complete. Under the lock. */
  boolean isComplete() {
    return state == State.COMPLETE;
  }

  /** Ends its life; returns whether its slots are free now. Under the lock. */
  boolean end() {
    boolean ended = state != State.GONE;
    state = State.GONE;
    return ended && pins == 0;
  }

  int[] slotNumbers() {
    return slots;
  }

  void unpin() {
    synchronized (cache.lock()) {
      pins--;
      if (pins == 0 && state == State.GONE) {
        cache.release(this);
      }
    }
  }

  void requirePinned() {
    synchronized (cache.lock()) {
      if (pins == 0) {
        throw new IllegalStateException(this + " is read without a pin");
      }
    }
  }

  @Override
  public String toString() {
    return "cached checkpoint " + id + " of rank " + rank;
  }
}
