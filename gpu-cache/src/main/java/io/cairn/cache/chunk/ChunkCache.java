package io.cairn.cache.chunk;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A bounded number of equal slots in device memory, shared by all ranks of a process. A bounded
 * number of slots in host memory takes chunks that fit neither there nor at a peer.
 *
 * <p>Thread-safe. The memories are not closed with it.
 */
public final class ChunkCache implements AutoCloseable {
  /*
   * Ownership
   *
   * A slot is free, lent to a peer, or belongs to one checkpoint: from its reservation until the
   * checkpoint is evicted or discarded and its last pin is closed.
   *
   * Eviction
   *
   * A reservation evicts complete and unpinned checkpoints of any group, and only if that makes
   * enough room: superseded ones first, and of each kind the oldest. Lending evicts superseded
   * checkpoints alone. Each rank keeps its newest checkpoint, and the newest that its whole group
   * has sealed: the group can restore the one that it sealed, and nobody knows yet whether it seals
   * a newer one. A checkpoint that is still to be copied to a level is pinned.
   *
   * Concurrency
   *
   * One lock guards slots, states and pins. No copy runs under it, nor does a listener: a change
   * under the lock collects its evictions and returns in an Aftermath, which runs afterwards.
   */

  /** Slots begin at multiples of the longest numeric type, and so do the elements in them. */
  private static final int ALIGNMENT = Long.BYTES;

  private final Object lock = new Object();
  private final DeviceMemory memory;
  private final int chunkBytes;
  private final SlotPool own;
  private final SlotPool host;
  private final LentSlots lending;
  private final Growth growth;
  private long evictions;
  private boolean closed;
  private final RoomSignal roomSignal = new RoomSignal();
  private final ResidentCheckpoints residents = new ResidentCheckpoints();
  private final List<Consumer<CachedCheckpoint>> evictionListeners = new CopyOnWriteArrayList<>();

  /**
   * Takes {@code capacityBytes / chunkBytes} slots of the device's memory, and none of the host's.
   *
   * @param memory stays open as long as the cache
   * @param chunkBytes a multiple of 8
   * @throws IOException if the device has no room for that many; nothing is kept then
   * @throws IllegalArgumentException if there would be no slot, or the length is no multiple of 8
   */
  public ChunkCache(DeviceMemory memory, long capacityBytes, int chunkBytes) throws IOException {
    this(memory, capacityBytes, memory, 0, chunkBytes);
  }

  /**
   * Takes slots of the device's memory and of the host's.
   *
   * @param host memory of the host behind the same interface; stays open as long as the cache
   * @param hostBytes 0 or more
   * @throws IOException if either has no room for that many; nothing is kept then
   * @throws IllegalArgumentException if there would be no slot, or the length is no multiple of 8
   */
  public ChunkCache(
      DeviceMemory memory, long capacityBytes, DeviceMemory host, long hostBytes, int chunkBytes)
      throws IOException {
    this(memory, capacityBytes, capacityBytes, host, hostBytes, chunkBytes);
  }

  /**
   * Like the other, and may take more of the device's memory later; see {@link #growth}.
   *
   * @param mostBytes of the device's memory, at least {@code capacityBytes}
   */
  public ChunkCache(
      DeviceMemory memory,
      long capacityBytes,
      long mostBytes,
      DeviceMemory host,
      long hostBytes,
      int chunkBytes)
      throws IOException {
    if (chunkBytes < 1
        || chunkBytes % ALIGNMENT != 0
        || capacityBytes < chunkBytes
        || mostBytes < capacityBytes
        || hostBytes < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              ("cache of %d to %d bytes, and %d of the host's, in chunks of %d: chunks are a"
                  + " multiple of %d bytes, and at least one"),
              capacityBytes,
              mostBytes,
              hostBytes,
              chunkBytes,
              ALIGNMENT));
    }
    this.memory = memory;
    this.chunkBytes = chunkBytes;
    this.own = new SlotPool(memory, capacityBytes, mostBytes, chunkBytes);
    try {
      this.host = new SlotPool(host, hostBytes, hostBytes, chunkBytes);
    } catch (IOException e) {
      locked(own::close);
      throw e;
    }
    this.lending = new LentSlots(this, own, residents);
    this.growth = new Growth(this, own);
  }

  /**
   * Reserves slots for a capture. If too few are free, evicts the oldest complete and unpinned
   * checkpoints, of any group, until the chunks fit. Evicts none if that would not make enough
   * room.
   *
   * @param chunks 0 or more
   * @return the reservation, which the caller completes or discards; empty if there is no room
   * @throws IllegalStateException if this rank's checkpoint is here already, or the cache is closed
   */
  public Optional<CachedCheckpoint> reserve(CheckpointId id, int rank, int chunks) {
    Aftermath after = new Aftermath();
    CachedCheckpoint reserved;
    synchronized (lock) {
      requireNew(id, rank);
      if (!makeRoom(own, chunks, CachedCheckpoint::evictable, after)) {
        return Optional.empty();
      }
      reserved = add(id, rank, chunks, chunks);
    }
    finish(after);
    return Optional.of(reserved);
  }

  /**
   * Reserves slots for as many chunks as there can be room for, evicting as {@link #reserve} does.
   * The others are {@link CachedCheckpoint#chunks} less {@link CachedCheckpoint#placed}, and need
   * places elsewhere.
   *
   * @param chunks 0 or more
   * @return the reservation, which the caller completes or discards
   * @throws IllegalStateException as {@link #reserve}
   */
  public CachedCheckpoint reservePart(CheckpointId id, int rank, int chunks) {
    Aftermath after = new Aftermath();
    CachedCheckpoint reserved;
    synchronized (lock) {
      requireNew(id, rank);
      int home = Math.min(chunks, residents.room(own, CachedCheckpoint::evictable));
      makeRoom(own, home, CachedCheckpoint::evictable, after);
      reserved = add(id, rank, chunks, home);
    }
    finish(after);
    return reserved;
  }

  private CachedCheckpoint add(CheckpointId id, int rank, int chunks, int home) {
    Part part = new Part(0, own, own.take(home));
    CachedCheckpoint reserved = new CachedCheckpoint(this, id, rank, chunks, part);
    residents.add(reserved);
    return reserved;
  }

  private void requireNew(CheckpointId id, int rank) {
    if (closed) {
      throw new IllegalStateException("cache on " + own.describe() + " is closed");
    }
    if (residents.contains(id, rank)) {
      throw new IllegalStateException(
          "checkpoint " + id + " of rank " + rank + " is in the cache: an id is never reused");
    }
  }

  /** Frees that many slots, or evicts nothing. Under the lock. */
  boolean makeRoom(
      SlotPool pool, int slots, Predicate<CachedCheckpoint> evictable, Aftermath after) {
    Optional<List<CachedCheckpoint>> leaving = residents.leaving(pool, slots, evictable);
    leaving.ifPresent(all -> all.forEach(one -> evict(one, after)));
    return leaving.isPresent();
  }

  void evict(CachedCheckpoint checkpoint, Aftermath after) {
    remove(checkpoint, after.returns());
    after.evicted(checkpoint);
    evictions++;
  }

  int addHost(CachedCheckpoint checkpoint, int wanted) {
    Aftermath after = new Aftermath();
    int taken;
    synchronized (lock) {
      checkpoint.requireReserved("takes no host memory");
      int missing = checkpoint.chunks() - checkpoint.placed();
      taken =
          Math.min(Math.min(wanted, missing), residents.room(host, CachedCheckpoint::evictable));
      if (taken > 0) {
        makeRoom(host, taken, CachedCheckpoint::evictable, after);
        checkpoint.append(new Part(checkpoint.placed(), host, host.take(taken)));
      }
    }
    finish(after);
    return taken;
  }

  /** Host memory that replaces the places of a number of chunks; empty if it has no room. */
  Optional<Part> takeHost(int first, int chunks) {
    Aftermath after = new Aftermath();
    Part part;
    synchronized (lock) {
      if (closed || !makeRoom(host, chunks, CachedCheckpoint::evictable, after)) {
        return Optional.empty();
      }
      part = new Part(first, host, host.take(chunks));
    }
    finish(after);
    return Optional.of(part);
  }

  /** The whole group has sealed this checkpoint at a level; lending spares the newest such one. */
  public void sealed(CheckpointId id, Level level) {
    synchronized (lock) {
      residents.seal(id, level);
    }
  }

  /** The way back of this cache's memory to other users of the device. */
  public Shrinking shrinking() {
    return new Shrinking(this, own, residents);
  }

  /** The growth of this cache with the ranks of its process. */
  public Growth growth() {
    return growth;
  }

  /** The lending of this cache's slots to peers. */
  public LentSlots lentSlots() {
    return lending;
  }

  /** This rank's complete checkpoint of that id, if it is here. */
  public Optional<CachedCheckpoint> find(CheckpointId id, int rank) {
    synchronized (lock) {
      return residents.findComplete(id, rank);
    }
  }

  /** This rank's complete checkpoints, the newest first. */
  public List<CachedCheckpoint> of(GroupId group, int rank) {
    synchronized (lock) {
      return residents.completeOf(group, rank);
    }
  }

  /** The device that the slots lie on. */
  public DeviceMemory memory() {
    return memory;
  }

  /** All slots in device memory, but those of slabs that were given up. */
  public int slots() {
    synchronized (lock) {
      return own.slots();
    }
  }

  /** One more than the highest number that a slot in device memory can have; it never changes. */
  public int slotNumbers() {
    return own.numbers();
  }

  /** All slots in device memory that there were so far, those that were given up included. */
  public int slotsSoFar() {
    synchronized (lock) {
      return own.taken();
    }
  }

  /** Slots in device memory that belong to no checkpoint and are not lent. */
  public int freeSlots() {
    synchronized (lock) {
      return own.freeSlots();
    }
  }

  /** All slots in host memory. */
  public int hostSlots() {
    return host.slots();
  }

  /** Slots in host memory that belong to no checkpoint. */
  public int freeHostSlots() {
    synchronized (lock) {
      return host.freeSlots();
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
   * Calls {@code listener} for every checkpoint that is evicted, not for those that are discarded.
   * The call comes on the thread that needs the room, before its own call returns, with no lock
   * held. The listener must not throw.
   */
  public void onEvict(Consumer<CachedCheckpoint> listener) {
    evictionListeners.add(listener);
  }

  /**
   * Drops every checkpoint and frees the memory, that of pinned ones when their last pin is closed;
   * until then the device must stay open. Lent slots stay allocated until the device is closed.
   * Calls no listener. Idempotent.
   */
  @Override
  public void close() {
    locked(
        later -> {
          if (!closed) {
            closed = true;
            residents.all().forEach(one -> remove(one, later));
            own.close(later);
            host.close(later);
          }
        });
  }

  Object lock() {
    return lock;
  }

  /** The slots in device memory. Used under the lock. */
  SlotPool own() {
    return own;
  }

  /** Whether it was closed. Under the lock. */
  boolean isClosed() {
    return closed;
  }

  /** Completes at the next change that may make room. Take it before you try to reserve. */
  public CompletableFuture<?> nextRoom() {
    return roomSignal.next();
  }

  /** Runs a change under the lock, then the work that it left, without the lock. */
  void locked(Consumer<List<Runnable>> change) {
    List<Runnable> later = new ArrayList<>();
    synchronized (lock) {
      change.accept(later);
    }
    later.forEach(Runnable::run);
    roomSignal.changed();
  }

  /** Runs, without the lock, the work that a change under it left. */
  void finish(Aftermath after) {
    after.run(evictionListeners);
  }

  void drop(CachedCheckpoint checkpoint) {
    locked(later -> remove(checkpoint, later));
  }

  private void remove(CachedCheckpoint checkpoint, List<Runnable> later) {
    residents.remove(checkpoint);
    checkpoint.end(later);
  }
}
