package io.cairn.cache.chunk;

import io.cairn.CheckpointId;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** One rank's checkpoint in the cache. Thread-safe. */
public final class CachedCheckpoint implements CapturedChunks {
  /*
   * Life
   *
   * A checkpoint is reserved, then complete, then gone: evicted or discarded. It is found while it
   * is complete, and never evicted while it is reserved or pinned.
   *
   * Places
   *
   * The first chunks lie in own slots. Chunks that did not fit lie in parts behind them: slots lent
   * by a peer, or host memory. A part that a peer revokes or loses is replaced; a read that is
   * under way keeps the old part until it ends.
   *
   * Ownership
   *
   * The places go back to their owners once the checkpoint is gone and its last pin is closed.
   *
   * Concurrency
   *
   * The cache's lock guards state, pins and the readers of a part. The placement is immutable and
   * replaced under the lock, so that places are found without it.
   */

  /** The states of its life; changed under the cache's lock alone, as are the pins. */
  enum State {
    RESERVED,
    COMPLETE,
    GONE
  }

  final ChunkCache cache;
  private final CheckpointId id;
  private final int rank;
  private final int chunks;
  private State state = State.RESERVED;
  private int pins;
  private boolean sealed;
  private volatile Placement placement;
  private volatile Contents contents = Contents.NONE;

  CachedCheckpoint(ChunkCache cache, CheckpointId id, int rank, int chunks, Part home) {
    this.cache = cache;
    this.id = id;
    this.rank = rank;
    this.chunks = chunks;
    this.placement = new Placement(List.of(home));
  }

  /** The checkpoint. */
  public CheckpointId id() {
    return id;
  }

  /** The rank whose data it holds. */
  public int rank() {
    return rank;
  }

  /** How many chunks it is for. */
  public int chunks() {
    return chunks;
  }

  /** How many chunks, from the first on, have a place; it never falls. */
  public int placed() {
    return placement.chunks();
  }

  /** The memory of the own slots, which reaches the regions. */
  public DeviceMemory memory() {
    return cache.memory();
  }

  /** Length of a chunk in bytes. */
  public int chunkBytes() {
    return cache.chunkBytes();
  }

  /**
   * The place of a chunk, 0 to {@code placed() - 1}. Copies may go to it only before the checkpoint
   * is complete, and only while it is pinned.
   */
  public Place place(int chunk) {
    return placement.of(chunk).place(chunk);
  }

  /**
   * Gives the next chunks that have no place the slots of a lease. The slots are given back when
   * the checkpoint is gone and unpinned, or its chunks have moved elsewhere.
   *
   * @throws IllegalStateException if it is complete or gone; the places stay the caller's then
   * @throws IllegalArgumentException if it is for more chunks than have no place; likewise
   */
  public void add(LeasedPlaces leased) {
    synchronized (cache.lock()) {
      requireReserved("takes no places");
      if (leased.chunks() > chunks - placed()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s: places for %d chunks were lent, %d have none",
                this,
                leased.chunks(),
                chunks - placed()));
      }
      append(leased.from(placed()));
    }
  }

  /**
   * Gives the next chunks that have no place slots in host memory: at most {@code wanted}, and as
   * many as fit there. Evicts older checkpoints as {@link ChunkCache#reserve} does.
   *
   * @return how many chunks got a place
   * @throws IllegalStateException if it is complete or gone
   */
  public int addHost(int wanted) {
    return cache.addHost(this, wanted);
  }

  /** Adds a part behind the last. Under the lock. */
  void append(Part part) {
    placement = placement.and(part);
  }

  /** Under the lock. */
  void requireReserved(String refusal) {
    if (state != State.RESERVED) {
      throw new IllegalStateException(this + " " + refusal + ": it is " + state);
    }
  }

  /**
   * Ends the reservation after the capture: from now on the checkpoint is found, read and, while it
   * is not pinned, evicted. Its chunks are the first region's, then the next region's, and so on.
   *
   * @param program captured it
   * @param size ranks of its group
   * @throws IllegalStateException if it is complete already, or was discarded
   * @throws IllegalArgumentException if the images' chunks are not as many as it is for, or of
   *     another length, or one has no place
   */
  public void complete(List<RegionImage> images, Ancestry ancestry, Fingerprint program, int size) {
    Contents captured = Contents.of(this, images, ancestry, program, size);
    cache.locked(
        later -> {
          requireReserved("cannot be completed");
          contents = captured;
          state = State.COMPLETE;
        });
  }

  /** Like the other, for a group of one rank. */
  public void complete(List<RegionImage> images, Ancestry ancestry, Fingerprint program) {
    complete(images, ancestry, program, 1);
  }

  /** Ranks of the group that captured it; 0 until it is complete. */
  public int size() {
    return contents.size();
  }

  /** The images of its regions, in the order of protection; empty until it is complete. */
  @Override
  public List<RegionImage> images() {
    return contents.images();
  }

  /** The ancestry of its epoch; {@link Ancestry#NONE} until it is complete. */
  public Ancestry ancestry() {
    return contents.ancestry();
  }

  /** The program that captured it; empty until it is complete. */
  public Fingerprint program() {
    return contents.program();
  }

  /**
   * The chunks in the slots of a lease, for the message to the lender; empty if it is not complete,
   * or the lease is no longer one of its own.
   */
  public List<PlacedChunk> in(LeasedPlaces leased) {
    Contents now = contents;
    return placement.in(leased).map(now::of).orElse(List.of());
  }

  /**
   * Moves the chunks of a lease to host memory. The lease is given back as soon as no read of it is
   * under way. Blocks while it copies; other threads may read meanwhile. Evicts older checkpoints
   * as {@link ChunkCache#reserve} does.
   *
   * @param staging chunks pass through it, and through buffers of its length if several reads are
   *     under way
   * @return whether the lease is no longer needed; false if host memory has no room, and nothing
   *     has changed then
   * @throws IllegalStateException if it is not complete
   * @throws IllegalArgumentException if {@code staging} is shorter than a chunk
   * @throws IOException if a chunk cannot be copied or does not verify; nothing has changed then
   */
  public boolean moveToHost(LeasedPlaces leased, ByteBuffer staging) throws IOException {
    Optional<Pin> pin = pin();
    if (pin.isEmpty()) {
      return true;
    }
    try (Pin pinned = pin.get()) {
      requireComplete();
      return new MoveToHost(cache, this, contents).toHost(leased, staging, pinned.reader());
    }
  }

  /** Keeps it from eviction until the pin is closed; empty if it is gone. */
  @Override
  public Optional<Pin> pin() {
    synchronized (cache.lock()) {
      if (state == State.GONE) {
        return Optional.empty();
      }
      pins++;
      return Optional.of(new Pin(this::reader, this::unpin));
    }
  }

  /**
   * Reads its chunks while it is complete and pinned. An interruption does not end the wait for a
   * copy, which would land all the same. The reader throws {@link IllegalStateException} if no pin
   * is open. Thread-safe for different buffers.
   */
  @Override
  public ChunkReader reader() {
    return new PlacedReader(this, contents);
  }

  /**
   * Ends its life: from now on it is neither found nor pinned. Its places go back now, or when its
   * last pin is closed. Idempotent.
   */
  public void discard() {
    cache.drop(this);
  }

  /** Whether its life has ended. Its places may still be in use by copies. */
  public boolean isGone() {
    synchronized (cache.lock()) {
      return state == State.GONE;
    }
  }

  /** Whether it may be evicted. Under the lock. */
  boolean evictable() {
    return state == State.COMPLETE && pins == 0;
  }

  /** Whether it is complete. Under the lock. */
  boolean isComplete() {
    return state == State.COMPLETE;
  }

  /** The group has sealed it at a level. Under the lock. */
  void seal() {
    sealed = true;
  }

  /** Whether it is complete, and its group has sealed it at a level. Under the lock. */
  boolean isSealed() {
    return sealed && isComplete();
  }

  /** The number of a chunk here, if a region of that name has the same shape. */
  OptionalInt numberOf(RegionImage image, int region, int chunk) {
    return contents.numberOf(image, region, chunk);
  }

  /**
   * The place of a chunk in an own slot, without a pin: it may be evicted, and its slot be used
   * again, while its bytes are read. They count only if {@link #wasThere} afterwards.
   */
  Optional<Place> unpinned(int chunk) {
    Part part = placement.of(chunk);
    return part.belongsTo(cache.own()) ? Optional.of(part.place(chunk)) : Optional.empty();
  }

  /** Whether it has been complete all the time until now, so that its own slots were its own. */
  boolean wasThere() {
    VarHandle.loadLoadFence(); // what was read before was read by now
    synchronized (cache.lock()) {
      return isComplete();
    }
  }

  private void requireComplete() {
    synchronized (cache.lock()) {
      if (state == State.RESERVED) {
        throw new IllegalStateException(this + " cannot be moved before it is complete");
      }
    }
  }

  /** Where its chunks lie now. */
  Placement placement() {
    return placement;
  }

  /** Replaces a part by others for the same chunks; parts that are not needed go back. */
  void replace(Part old, List<Part> by) {
    cache.locked(
        later -> {
          Optional<Placement> now = placement.with(old, by);
          if (now.isEmpty() || state == State.GONE) {
            by.forEach(part -> part.giveBack(later));
            return;
          }
          placement = now.get();
          old.replace(later);
        });
  }

  /** Ends its life; its places go back now, or when its last pin is closed. Under the lock. */
  void end(List<Runnable> later) {
    boolean ended = state != State.GONE;
    state = State.GONE;
    if (ended && pins == 0) {
      placement.giveBack(later);
    }
  }

  private void unpin() {
    cache.locked(
        later -> {
          pins--;
          if (pins == 0 && state == State.GONE) {
            placement.giveBack(later);
          }
        });
  }

  Part beginRead(int chunk) {
    synchronized (cache.lock()) {
      if (pins == 0) {
        throw new IllegalStateException(this + " is read without a pin");
      }
      Part part = placement.of(chunk);
      part.beginRead();
      return part;
    }
  }

  void endRead(Part part) {
    boolean last;
    synchronized (cache.lock()) {
      last = part.endRead();
    }
    if (last) {
      cache.locked(part::giveBack);
    }
  }

  @Override
  public String toString() {
    return "cached checkpoint " + id + " of rank " + rank;
  }
}
