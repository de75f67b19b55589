package io.cairn.cache.chunk;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Equal slots of one memory, each free or taken. Slots lie side by side in as few allocations as
 * the memory makes, so that a peer opens few handles and not one per slot. Used under the cache's
 * lock, but for {@link #place} and {@link #exports}.
 */
final class SlotPool implements PlaceOwner {
  /** No device maps more at once. */
  private static final long MAX_SLAB_BYTES = 1 << 30;

  private final DeviceMemory memory;
  private final int chunkBytes;
  private final List<Slab> slabs = new ArrayList<>();
  private final Place[] places;
  private final int[] free;
  private int freeCount;
  private boolean closed;

  private record Slab(int first, int slots, DeviceAddress address) {}

  /**
   * Takes {@code capacityBytes / chunkBytes} slots.
   *
   * @throws IOException if the memory has no room for that many; nothing is kept then
   */
  SlotPool(DeviceMemory memory, long capacityBytes, int chunkBytes) throws IOException {
    this.memory = memory;
    this.chunkBytes = chunkBytes;
    places = new Place[Math.toIntExact(capacityBytes / chunkBytes)];
    free = new int[places.length];
    allocate();
    for (; freeCount < free.length; freeCount++) {
      // the lowest slot is taken first
      free[freeCount] = free.length - 1 - freeCount;
    }
  }

  private void allocate() throws IOException {
    int slots = (int) Math.max(1, MAX_SLAB_BYTES / chunkBytes);
    for (int first = 0; first < places.length; ) {
      slots = Math.min(slots, places.length - first);
      try {
        add(new Slab(first, slots, memory.allocate((long) slots * chunkBytes)));
        first += slots;
      } catch (IOException e) {
        if (slots == 1) {
          slabs.forEach(slab -> memory.free(slab.address()));
          throw new IOException(
              "cache of %d chunks of %d bytes: only %d fit into %s"
                  .formatted(places.length, chunkBytes, first, memory.describe()),
              e);
        }
        // the free memory lies in pieces
        slots = (slots + 1) / 2;
      }
    }
  }

  private void add(Slab slab) {
    slabs.add(slab);
    for (int i = 0; i < slab.slots(); i++) {
      DeviceAddress address = slab.address().slice((long) i * chunkBytes, chunkBytes);
      places[slab.first() + i] = new Place(memory, address);
    }
  }

  int slots() {
    return places.length;
  }

  int freeSlots() {
    return freeCount;
  }

  String describe() {
    return memory.describe();
  }

  /** Handles to all slots. */
  List<SlotExport> exports() {
    return slabs.stream()
        .map(slab -> new SlotExport(slab.first(), slab.slots(), memory.export(slab.address())))
        .toList();
  }

  /** Takes slots that are free: at most {@link #freeSlots}. */
  int[] take(int slots) {
    freeCount -= slots;
    return Arrays.copyOfRange(free, freeCount, freeCount + slots);
  }

  @Override
  public Place place(int slot) {
    return places[slot];
  }

  @Override
  public void giveBack(int[] slots, List<Runnable> later) {
    for (int slot : slots) {
      free[freeCount++] = slot;
    }
    if (closed) {
      freeIdleSlabs();
    }
  }

  /** Gives the memory back, what has slots that are taken as soon as they are given back. */
  void close() {
    closed = true;
    freeIdleSlabs();
  }

  private void freeIdleSlabs() {
    boolean[] idle = new boolean[places.length];
    for (int i = 0; i < freeCount; i++) {
      idle[free[i]] = true;
    }
    for (Slab slab : List.copyOf(slabs)) {
      if (isIdle(slab, idle)) {
        slabs.remove(slab);
        memory.free(slab.address());
      }
    }
  }

  private static boolean isIdle(Slab slab, boolean[] idle) {
    for (int slot = slab.first(); slot < slab.first() + slab.slots(); slot++) {
      if (!idle[slot]) {
        return false;
      }
    }
    return true;
  }
}
