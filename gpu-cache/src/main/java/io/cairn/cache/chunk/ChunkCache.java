package io.cairn.cache.chunk;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A bounded number of equal slots in device memory, shared by all ranks of a process. A slot
 * belongs to at most one checkpoint, from its reservation until it is evicted or discarded and its
 * last pin is closed.
 *
 * <p>Thread-safe; no lock is held while anything is copied. The device is not closed with it.
 */
public final class ChunkCache implements AutoCloseable {
  /** Slots begin at multiples of the longest numeric type, and so do the elements in them. */
  private static final int ALIGNMENT = Long.BYTES;

  private record Key(CheckpointId id, int rank) {}

  private final Object lock = new Object();
  private final DeviceMemory memory;
  private final int chunkBytes;
  private final DeviceAddress[] addresses;
  private final int[] free;
  private int freeCount;
  private long evictions;
  private boolean closed;
  // in the order of reservation
  private final Map<Key, CachedCheckpoint> live = new LinkedHashMap<>();
  private final List<Consumer<CachedCheckpoint>> evictionListeners = new CopyOnWriteArrayList<>();

  /**
   * Takes {@code capacityBytes / chunkBytes} slots of the device's memory.
   *
   * @param memory stays open as long as the cache
   * @param chunkBytes a multiple of 8
   * @throws IOException if the device has no room for that many; nothing is kept then
   * @throws IllegalArgumentException if there would be no slot, or the length is no multiple of 8
   */
  public ChunkCache(DeviceMemory memory, long capacityBytes, int chunkBytes) throws IOException {
    if (chunkBytes < 1 || chunkBytes % ALIGNMENT != 0 || capacityBytes < chunkBytes) {
      throw new IllegalArgumentException(
          "cache of %d bytes in chunks of %d: chunks are a multiple of %d bytes, and at least one"
              .formatted(capacityBytes, chunkBytes, ALIGNMENT));
    }
    this.memory = memory;
    this.chunkBytes = chunkBytes;
    addresses = new DeviceAddress[Math.toIntExact(capacityBytes / chunkBytes)];
    free = new int[addresses.length];
    allocate();
  }

  private void allocate() throws IOException {
    try {
      for (; freeCount < addresses.length; freeCount++) {
        addresses[freeCount] = memory.allocate(chunkBytes);
        // the lowest slot is taken first
        free[addresses.length - 1 - freeCount] = freeCount;
      }
    } catch (IOException e) {
      for (int slot = 0; slot < freeCount; slot++) {
        memory.free(addresses[slot]);
      }
      throw new IOException(
          "cache of %d chunks of %d bytes: only %d fit into %s"
              .formatted(addresses.length, chunkBytes, freeCount, memory.describe()),
          e);
    }
  }

  /**
   * Reserves slots for a capture. If too few are free, evicts the oldest complete and unpinned
   * checkpoints, of whatever group, until they fit; if not even all of them would do, evicts none.
   *
   * @param slots 0 or more
   * @return the reservation, which its owner completes or discards, or empty if there is no room
   * @throws IllegalStateException if this rank's checkpoint is here already, or the cache is closed
   */
  public Optional<CachedCheckpoint> reserve(CheckpointId id, int rank, int slots) {
    List<CachedCheckpoint> evicted = new ArrayList<>();
    CachedCheckpoint reserved;
    synchronized (lock) {
      requireNew(id, rank);
      if (!makeRoom(slots, evicted)) {
        return Optional.empty();
      }
      freeCount -= slots;
      int[] taken = Arrays.copyOfRange(free, freeCount, freeCount + slots);
      reserved = new CachedCheckpoint(this, id, rank, taken);
      live.put(new Key(id, rank), reserved);
    }
    for (CachedCheckpoint gone : evicted) {
      evictionListeners.forEach(listener -> listener.accept(gone));
    }
    return Optional.of(reserved);
  }

  private void requireNew(CheckpointId id, int rank) {
    if (closed) {
      throw new IllegalStateException("cache on " + memory.describe() + " is closed");
    }
    if (live.containsKey(new Key(id, rank))) {
      throw new IllegalStateException(
          "checkpoint " + id + " of rank " + rank + " is in the cache: an id is never reused");
    }
  }

  private boolean makeRoom(int slots, List<CachedCheckpoint> evicted) {
    int room = freeCount;
    for (CachedCheckpoint candidate : live.values()) {
      if (room >= slots) {
        break;
      }
      if (candidate.evictable()) {
        evicted.add(candidate);
        room += candidate.slots();
      }
    }
    if (room < slots) {
      return false;
    }
    evicted.forEach(this::drop);
    evictions += evicted.size();
    return true;
  }

  /** This rank's complete checkpoint of that id, if it is here. */
  public Optional<CachedCheckpoint> find(CheckpointId id, int rank) {
    synchronized (lock) {
      return Optional.ofNullable(live.get(new Key(id, rank))).filter(CachedCheckpoint::isComplete);
    }
  }

  /** This rank's complete checkpoints, the newest first. */
  public List<CachedCheckpoint> of(GroupId group, int rank) {
    synchronized (lock) {
      return live.values().stream()
          .filter(one -> one.rank() == rank && one.id().group().equals(group))
          .filter(CachedCheckpoint::isComplete)
          .sorted(Comparator.comparing(CachedCheckpoint::id).reversed())
          .toList();
    }
  }

  /** All slots. */
  public int slots() {
    return addresses.length;
  }

  /** Slots that belong to no checkpoint. */
  public int freeSlots() {
    synchronized (lock) {
      return freeCount;
    }
  }

  /** Checkpoints that were evicted so far. */
  public long evictions() {
    synchronized (lock) {
      return evictions;
    }
  }

  /** Length of a slot in bytes. */
  public int chunkBytes() {
    return chunkBytes;
  }

  /**
   * Tells {@code listener} of every checkpoint that is evicted (not of those that are discarded),
   * on the thread that reserves, before {@link #reserve} returns, with no lock held. It must not
   * throw.
   */
  public void onEvict(Consumer<CachedCheckpoint> listener) {
    evictionListeners.add(listener);
  }

  /**
   * Drops every checkpoint and gives the memory back, that of pinned ones when their last pin is
   * closed, until when the device must stay open. Tells no eviction. Idempotent.
   */
  @Override
  public void close() {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      while (freeCount > 0) {
        memory.free(addresses[free[--freeCount]]);
      }
      List.copyOf(live.values()).forEach(this::drop);
    }
  }

  Object lock() {
    return lock;
  }

  DeviceMemory memory() {
    return memory;
  }

  DeviceAddress address(int slot) {
    return addresses[slot];
  }

  void drop(CachedCheckpoint checkpoint) {
    synchronized (lock) {
      live.remove(new Key(checkpoint.id(), checkpoint.rank()), checkpoint);
      if (checkpoint.end()) {
        release(checkpoint);
      }
    }
  }

  /** Takes the slots of a checkpoint back that is gone and unpinned. Under the lock. */
  void release(CachedCheckpoint checkpoint) {
    for (int slot : checkpoint.slotNumbers()) {
      if (closed) {
        memory.free(addresses[slot]);
      } else {
        free[freeCount++] = slot;
      }
    }
  }
}
