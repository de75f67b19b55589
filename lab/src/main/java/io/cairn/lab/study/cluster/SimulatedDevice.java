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
 * The slot's own process may do so then, when the lease is released, or when the borrower is dead
 * or on another machine. Used by whichever thread has the turn.
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
   * The right of a lease to write to a slot.
   *
   * @param position of the slot in the lease
   * @param filled its borrower has reported the chunk, and writes no more
   */
  private record Right(LeaseId lease, int position, boolean filled) {
    @Override
    public String toString() {
      return lease + " has it" + (filled ? ", filled" : "");
    }
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
      for (int position = 0; position < slots.size(); position++) {
        int slot = slots.get(position);
        Right before = cache.rights.put(slot, new Right(id, position, false));
        require(
            before == null || before.lease().equals(id) || isOver(cache, before),
            () -> place(cache, slot) + " is lent for " + id + ": " + owner(before));
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
    Owned cache = cacheOf(lender);
    if (cache != null) {
      cache.rights.replaceAll(
          (slot, right) ->
              right.lease().equals(id) && positions.contains(right.position())
                  ? new Right(id, right.position(), true)
                  : right);
    }
  }

  /** The release of a lease has reached its lender. */
  void released(LeaseId id) {
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
          right != null && right.lease().equals(push) && !right.filled(),
          () -> place(cache, slot) + " is written for " + push + ": " + owner(right));
    } else if (cache.owner != writer) {
      require(
          right != null && borrower(right.lease()).equals(writer.actor().name()) && !right.filled(),
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

  /** Nobody can prove that a borrower on another machine is dead; it may have been silent. */
  private boolean isOver(Owned cache, Right right) {
    Optional<Actor> near = cache.owner.neighbour(borrower(right.lease()));
    return right.filled()
        || released.contains(right.lease())
        || near.isEmpty()
        || !near.get().alive();
  }

  private void require(boolean holds, Supplier<String> otherwise) {
    if (!holds) {
      // the process would log it, and go on
      turns.fail(new ViolationException(otherwise.get()));
    }
  }
}
