package io.cairn.cache.chunk;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a cache that peers borrow, and the chunks of their checkpoints that lie there. A
 * slot that was lent is out of the cache until it is taken back: no capture gets it, whatever its
 * borrower does with it. When that may be is not known here but in the lease book.
 *
 * <p>Thread-safe; no lock is held while anything is copied.
 */
public final class SlotLending {
  /** What a slot is to this class; changed under the cache's lock. */
  private enum State {
    HOME,
    LENT,
    /** Taken back, and home as soon as its chunks are unpinned. */
    RETURNING
  }

  private record Key(CheckpointId id, int rank) {}

  private final ChunkCache cache;
  private final SlotPool slots;
  private final State[] states;
  private final @Nullable HeldChunks[] holders;
  private final Map<Key, HeldChunks> held = new LinkedHashMap<>();
  private int away;

  SlotLending(ChunkCache cache, SlotPool slots) {
    this.cache = cache;
    this.slots = slots;
    states = new State[slots.slots()];
    Arrays.fill(states, State.HOME);
    holders = new HeldChunks[slots.slots()];
  }

  /**
   * Handles to all slots of the cache, for peers on this node to open once and keep; which of the
   * slots they may use is told by slot numbers, lease by lease.
   */
  public List<SlotExport> exports() {
    return slots.exports();
  }

  /**
   * Takes slots out of the cache. If too few are free, evicts checkpoints that are superseded, the
   * oldest first, as far as {@link ChunkCache#spareSlots} says; never what is pinned, reserved or a
   * rank's newest.
   *
   * @param wanted 0 or more
   * @return their numbers: as many as were wanted, or all that can be spared
   */
  public int[] lend(int wanted) {
    Aftermath after = new Aftermath();
    int[] lent;
    synchronized (cache.lock()) {
      lent = cache.takeSpare(wanted, after);
      for (int slot : lent) {
        states[slot] = State.LENT;
      }
      away += lent.length;
    }
    cache.finish(after);
    return lent;
  }

  /** Slots that are out of the cache: lent, or taken back and still pinned. */
  public int lentSlots() {
    synchronized (cache.lock()) {
      return away;
    }
  }

  /**
   * Where a lent slot lies, for bytes that arrive by messages.
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
   * Takes slots back into the cache. What is held in any of them is neither found nor pinned any
   * more, in its other slots too; where it is pinned, its slots come home when it is unpinned.
   *
   * @throws IllegalArgumentException naming the first that is not lent, such as one that was taken
   *     back before; none is taken back then
   */
  public void takeBack(int... numbers) {
    synchronized (cache.lock()) {
      for (int slot : numbers) {
        requireLent(slot);
      }
      for (int slot : numbers) {
        states[slot] = State.RETURNING;
      }
      for (int slot : numbers) {
        HeldChunks holder = holders[slot];
        if (holder != null) {
          end(holder);
        } else if (states[slot] == State.RETURNING) {
          goHome(slot);
        }
      }
    }
  }

  private void requireLent(int slot) {
    if (slot < 0 || slot >= states.length || states[slot] != State.LENT) {
      throw new IllegalArgumentException(
          "slot %d of %d is not lent%s"
              .formatted(
                  slot,
                  states.length,
                  slot >= 0 && slot < states.length ? ": it is " + states[slot] : ""));
    }
  }

  private void goHome(int slot) {
    states[slot] = State.HOME;
    away--;
    if (!cache.isClosed()) {
      slots.giveBack(new int[] {slot}, List.of());
    }
  }

  /**
   * Holds chunks of somebody else's checkpoint from now on, after it has read and verified each of
   * them; their writer must be done with them. Blocks while it reads.
   *
   * @param chunks in slots that are lent and hold nothing else
   * @param staging one chunk passes through it at a time
   * @throws IOException naming the chunk, if one does not verify or cannot be read; or if a slot
   *     was taken back meanwhile. Nothing is held then, and the slots stay lent
   * @throws IllegalArgumentException if a slot is not lent or holds something, a chunk is given
   *     twice or longer than a slot, or {@code staging} is shorter than one
   * @throws IllegalStateException if chunks of this rank's checkpoint are held already
   */
  public HeldChunks hold(CheckpointId id, int rank, List<HeldChunk> chunks, ByteBuffer staging)
      throws IOException {
    HeldChunks holder = new HeldChunks(this, id, rank, chunks);
    synchronized (cache.lock()) {
      requireHoldable(holder);
      held.put(new Key(id, rank), holder);
      chunks.forEach(chunk -> holders[chunk.slot()] = holder);
    }
    try {
      holder.verify(staging.duplicate());
    } catch (IOException | RuntimeException e) {
      synchronized (cache.lock()) {
        end(holder);
        unpin(holder);
      }
      throw e;
    }
    synchronized (cache.lock()) {
      boolean kept = holder.verified();
      unpin(holder);
      if (!kept) {
        throw new IOException(holder + ": slots were taken back while they were verified");
      }
    }
    return holder;
  }

  private void requireHoldable(HeldChunks holder) {
    if (held.containsKey(new Key(holder.id(), holder.rank()))) {
      throw new IllegalStateException(holder + " are held already");
    }
    for (HeldChunk chunk : holder.chunks()) {
      requireLent(chunk.slot());
      if (holders[chunk.slot()] != null || chunk.bytes() > cache.chunkBytes()) {
        throw new IllegalArgumentException(
            "%s: %s in a slot of %d bytes that holds %s"
                .formatted(holder, chunk, cache.chunkBytes(), holders[chunk.slot()]));
      }
    }
  }

  /** What is held of this rank's checkpoint of that id, if anything is. */
  public Optional<HeldChunks> find(CheckpointId id, int rank) {
    synchronized (cache.lock()) {
      return Optional.ofNullable(held.get(new Key(id, rank))).filter(HeldChunks::isHeld);
    }
  }

  /** What is held of this rank's checkpoints, the newest first. */
  public List<HeldChunks> of(GroupId group, int rank) {
    synchronized (cache.lock()) {
      return held.values().stream()
          .filter(one -> one.rank() == rank && one.id().group().equals(group))
          .filter(HeldChunks::isHeld)
          .sorted(Comparator.comparing(HeldChunks::id).reversed())
          .toList();
    }
  }

  Object lock() {
    return cache.lock();
  }

  /** Where a slot lies that is pinned. */
  Place pinnedPlace(int slot) {
    return slots.place(slot);
  }

  /** Lets chunks be found no more. Under the lock. */
  void end(HeldChunks holder) {
    held.remove(new Key(holder.id(), holder.rank()), holder);
    holder.end();
    letGo(holder);
  }

  /** Under the lock. */
  void unpin(HeldChunks holder) {
    holder.removePin();
    letGo(holder);
  }

  /** Frees the slots of chunks that are neither found nor pinned for others, or to go home. */
  private void letGo(HeldChunks holder) {
    if (!holder.isOver()) {
      return;
    }
    for (HeldChunk chunk : holder.chunks()) {
      int slot = chunk.slot();
      if (holders[slot] == holder) {
        holders[slot] = null;
        if (states[slot] == State.RETURNING) {
          goHome(slot);
        }
      }
    }
  }
}
