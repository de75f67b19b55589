package io.cairn.lab.study.cluster;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.core.sharing.LeaseId;
import io.cairn.engine.sharing.peer.HolderId;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The device memory of all processes of one seed, and the true owner of each slot, which no process
 * sees. Only the newest lease of a slot may write there, until its borrower has reported the chunk.
 * Nobody writes over a chunk that its lender has promised to keep, until the lender says so, the
 * lease is released, or the chunk is at NODE. Used by whichever thread has the turn.
 */
final class SimulatedDevice {
  private final Turns turns;
  private final DeviceMemory device;

  /** By the offset of their first byte. */
  private final NavigableMap<Long, Owned> allocations = new TreeMap<>();

  private final Map<ExportedMemory, Owned> exported = new HashMap<>();

  /** Their borrowers write there no more; the lender may grant one later that was late. */
  private final Set<LeaseId> released = new HashSet<>();

  /** The lease for which a push writes at present. */
  private @Nullable LeaseId pushing;

  /** The memory of one process; those that have opened it keep it when that process is dead. */
  private static final class Owned {
    private final ProcessMemory owner;
    private final DeviceAddress address;
    private final Map<Integer, Right> rights = new HashMap<>();
    private int opened;
    private boolean dead;

    Owned(ProcessMemory owner, DeviceAddress address) {
      this.owner = owner;
      this.address = address;
    }
  }

  /**
   * The right of a lease to a slot.
   *
   * @param position of the slot in the lease
   */
  private record Right(LeaseId lease, int position, Use use) {
    @Override
    public String toString() {
      return lease + " has it: " + use;
    }
  }

  /** The use of a slot that is lent. */
  private enum Use {
    /** Its borrower may write. */
    GRANTED,
    /** Its borrower has reported the chunk, and writes no more. */
    FILLED,
    /** Its lender has promised to keep the chunk. */
    HELD,
    /** The promise has ended: the chunk has another copy, or its borrower is told of its loss. */
    OVER
  }

  /** Nothing is allocated on a device with room for the caches of all processes. */
  SimulatedDevice(Turns turns, DeviceMemory device) {
    this.turns = turns;
    this.device = device;
  }

  /** The device that all of it lies on. */
  DeviceMemory device() {
    return device;
  }

  /** Allocates for a process. */
  DeviceAddress allocate(ProcessMemory owner, long bytes) throws IOException {
    DeviceAddress address = device.allocate(bytes);
    allocations.put(address.offset(), new Owned(owner, address));
    return address;
  }

  /** Its process frees it, or is dead. */
  void free(DeviceAddress address) {
    Owned owned = owned(address);
    owned.dead = true;
    freeIfUnused(owned);
  }

  private void freeIfUnused(Owned owned) {
    if (owned.dead && owned.opened == 0) {
      allocations.remove(owned.address.offset());
      exported.values().remove(owned);
      device.free(owned.address);
    }
  }

  private Owned owned(DeviceAddress part) {
    Map.Entry<Long, Owned> found = allocations.floorEntry(part.offset());
    if (found == null) {
      throw new IllegalArgumentException(part + " is not allocated");
    }
    return found.getValue();
  }

  ExportedMemory export(DeviceAddress address) {
    ExportedMemory handle = device.export(address);
    exported.put(handle, owned(address));
    return handle;
  }

  /** Opens the memory of a process that lives. */
  DeviceMemory.Opened open(ExportedMemory handle) throws IOException {
    Owned owned = exported.get(handle);
    if (owned == null || owned.dead) {
      throw new IOException("the owner of " + handle + " is dead");
    }
    DeviceMemory.Opened below = device.open(handle);
    owned.opened++;
    return new Opened(owned, below);
  }

  private final class Opened implements DeviceMemory.Opened {
    private final Owned owned;
    private final DeviceMemory.Opened below;
    private boolean closed;

    Opened(Owned owned, DeviceMemory.Opened below) {
      this.owned = owned;
      this.below = below;
    }

    @Override
    public DeviceAddress address() {
      return below.address();
    }

    @Override
    public boolean ownerIsGone() {
      return owned.dead;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        below.close();
        owned.opened--;
        freeIfUnused(owned);
      }
    }
  }

  /** A lender grants slots of its cache, which is its only memory. */
  void granted(Actor lender, LeaseId id, List<Integer> slots) {
    Owned cache = cacheOf(lender);
    if (cache != null) {
      turns.note(lender.name(), () -> id + " is granted " + slots);
      for (int position = 0; position < slots.size(); position++) {
        int slot = slots.get(position);
        Right before = cache.rights.get(slot);
        if (before == null || !before.lease().equals(id)) { // else the answer is repeated
          require(
              before == null || isOver(cache, before),
              () -> place(cache, slot) + " is lent for " + id + ": " + owner(before));
          cache.rights.put(slot, new Right(id, position, Use.GRANTED));
        }
      }
    }
  }

  private @Nullable Owned cacheOf(Actor lender) {
    for (Owned owned : allocations.values()) {
      if (owned.owner.actor() == lender && !owned.dead) {
        return owned;
      }
    }
    return null;
  }

  /** The report that chunks are filled has reached their lender. */
  void filled(Actor lender, LeaseId id, List<Integer> positions) {
    become(lender, id, positions, Set.of(Use.GRANTED), Use.FILLED);
  }

  /** A lender promises to keep chunks until they are released, or their borrower is dead. */
  void acknowledged(Actor lender, LeaseId id, List<Integer> positions) {
    become(lender, id, positions, Set.of(Use.FILLED), Use.HELD);
  }

  /** The promise ends: the lender says so, or has heard that the chunks are at NODE. */
  void over(Actor lender, LeaseId id, List<Integer> positions) {
    become(lender, id, positions, Set.of(Use.FILLED, Use.HELD), Use.OVER);
  }

  private void become(Actor lender, LeaseId id, List<Integer> positions, Set<Use> before, Use use) {
    Owned cache = cacheOf(lender);
    if (cache != null) {
      turns.note(lender.name(), () -> id + " at " + positions + ": " + use);
      cache.rights.replaceAll(
          (slot, right) ->
              right.lease().equals(id)
                      && positions.contains(right.position())
                      && before.contains(right.use())
                  ? new Right(id, right.position(), use)
                  : right);
    }
  }

  /** Whether the borrower of a lease is a process of the lender's machine. */
  boolean isNear(Actor lender, LeaseId id) {
    Owned cache = cacheOf(lender);
    return cache != null && cache.owner.neighbour(borrower(id)).isPresent();
  }

  /** The release of a lease has reached its lender. */
  void released(LeaseId id) {
    turns.note("device", () -> id + " is released");
    released.add(id);
  }

  /** Runs a write on behalf of a borrower on another machine. */
  void push(LeaseId id, PushedWrite write) throws IOException {
    pushing = id;
    try {
      write.run();
    } finally {
      pushing = null;
    }
  }

  /** Writes what was pushed. */
  @FunctionalInterface
  interface PushedWrite {
    void run() throws IOException;
  }

  /** A process is about to write to a chunk, to its own slot or to one that is lent to it. */
  void writes(ProcessMemory writer, DeviceAddress target) {
    Owned cache = owned(target);
    int slot = (int) ((target.offset() - cache.address.offset()) / Settings.CHUNK_BYTES);
    Right right = cache.rights.get(slot);
    LeaseId push = pushing;
    if (push != null) {
      require(
          right != null && right.lease().equals(push) && right.use() == Use.GRANTED,
          () -> place(cache, slot) + " is written for " + push + ": " + owner(right));
    } else if (cache.owner != writer) {
      require(
          right != null
              && borrower(right.lease()).equals(writer.actor().name())
              && right.use() == Use.GRANTED,
          () -> place(cache, slot) + " is written by " + writer.actor() + ": " + owner(right));
    } else if (right != null) {
      require(
          isOver(cache, right),
          () -> place(cache, slot) + " is written by its process: " + owner(right));
      cache.rights.remove(slot);
    }
  }

  private static String place(Owned cache, int slot) {
    return "slot " + slot + " of " + cache.owner.actor();
  }

  private static String owner(@Nullable Right right) {
    return right == null ? "it is not lent" : right.toString();
  }

  private static String borrower(LeaseId lease) {
    return HolderId.parse(lease.holder()).process();
  }

  /**
   * Nobody can prove that a borrower on another machine is dead; it may have been silent. A lender
   * that has promised it something says so.
   */
  private boolean isOver(Owned cache, Right right) {
    Optional<Actor> near = cache.owner.neighbour(borrower(right.lease()));
    return right.use() == Use.FILLED
        || right.use() == Use.OVER
        || released.contains(right.lease())
        || (near.isEmpty() && right.use() == Use.GRANTED)
        || near.filter(borrower -> !borrower.alive()).isPresent();
  }

  private void require(boolean holds, Supplier<String> otherwise) {
    if (!holds) {
      // the process would log it, and go on
      turns.fail(new ViolationException(otherwise.get()));
    }
  }
}
