package io.cairn.cache.chunk;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Equal slots of one memory, each free or taken. Slots lie side by side in as few allocations as
 * the memory makes, so that a peer opens few handles and not one per slot. One such slab after the
 * other can leave: none of its slots is taken any more, and its memory goes when all are back. Used
 * under the cache's lock, but for {@link #place}, {@link #exports} and {@link #allocate}.
 */
final class SlotPool implements PlaceOwner {
  private final DeviceMemory memory;
  private final int chunkBytes;
  private final List<Slab> slabs = new CopyOnWriteArrayList<>();
  private final Place[] places;
  private final int[] free;
  private int freeCount;
  private int slots;

  /** Slots that have a number so far. */
  private int numbered;

  private boolean closed;

  /** The slab that leaves, and how many of its slots are still taken. */
  private @Nullable Slab leaving;

  private int leavingSlots;

  private record Slab(int first, int slots, DeviceAddress address) {
    boolean holds(int slot) {
      return slot >= first && slot < first + slots;
    }
  }

  /**
   * Takes {@code capacityBytes / chunkBytes} slots; {@link #add} brings more.
   *
   * @param mostBytes of all slots that it ever has
   * @throws IOException if the memory has no room for that many; nothing is kept then
   */
  SlotPool(DeviceMemory memory, long capacityBytes, long mostBytes, int chunkBytes)
      throws IOException {
    this.memory = memory;
    this.chunkBytes = chunkBytes;
    places = new Place[Math.toIntExact(mostBytes / chunkBytes)];
    free = new int[places.length];
    add(allocate(Math.toIntExact(capacityBytes / chunkBytes)), List.of()); // is open
  }

  /**
   * Allocates memory for a number of slots, to be added. Touches it, so no lock is held.
   *
   * @throws IOException if the memory has no room for that many; nothing is kept then
   */
  List<DeviceAddress> allocate(int wanted) throws IOException {
    long most = Math.min(DeviceMemory.LARGEST_WINDOW_BYTES, memory.largestAllocation());
    int perSlab = (int) Math.max(1, most / chunkBytes);
    List<DeviceAddress> allocated = new ArrayList<>();
    for (int taken = 0; taken < wanted; ) {
      perSlab = Math.min(perSlab, wanted - taken);
      try {
        allocated.add(memory.allocate((long) perSlab * chunkBytes));
        taken += perSlab;
      } catch (IOException e) {
        if (perSlab == 1) {
          allocated.forEach(memory::free);
          throw new IOException(
              String.format(
                  Locale.ROOT,
                  "cache of %d chunks of %d bytes: only %d fit into %s",
                  wanted,
                  chunkBytes,
                  taken,
                  memory.describe()),
              e);
        }
        // the free memory lies in pieces
        perSlab = (perSlab + 1) / 2;
      }
    }
    return allocated;
  }

  /**
   * Adds the slots of allocated memory; the lowest free slot is taken first, as ever.
   *
   * @param later receives what gives the memory back, if the pool was closed meanwhile
   */
  void add(List<DeviceAddress> allocated, List<Runnable> later) {
    if (closed) {
      allocated.forEach(one -> later.add(() -> memory.free(one)));
      return;
    }
    int first = numbered;
    allocated.forEach(this::add);
    int added = numbered - first;
    System.arraycopy(free, 0, free, added, freeCount);
    for (int i = 0; i < added; i++) {
      free[i] = numbered - 1 - i;
    }
    freeCount += added;
    slots += added;
  }

  private void add(DeviceAddress allocated) {
    Slab slab = new Slab(numbered, (int) (allocated.bytes() / chunkBytes), allocated);
    for (int i = 0; i < slab.slots(); i++) {
      DeviceAddress address = allocated.slice((long) i * chunkBytes, chunkBytes);
      places[slab.first() + i] = new Place(memory, address);
    }
    numbered += slab.slots();
    slabs.add(slab);
  }

  /** All slots, but those of slabs that leave or have left. */
  int slots() {
    return slots;
  }

  /** One more than the highest number that a slot can have. */
  int numbers() {
    return places.length;
  }

  /** All slots so far, those of slabs that have left included. */
  int taken() {
    return numbered;
  }

  int freeSlots() {
    return freeCount;
  }

  String describe() {
    return memory.describe();
  }

  /**
   * Lets the slab with the fewest taken slots leave, of two the shorter one, and of two equal ones
   * the later; none while another one leaves, and not the last one.
   */
  void leave(List<Runnable> later) {
    if (closed || leaving != null || slabs.size() < 2) {
      return;
    }
    int[] idle = idleSlots();
    Slab emptiest = slabs.get(0);
    for (Slab slab : slabs) {
      int more = slab.slots() - idle[slab.first()] - (emptiest.slots() - idle[emptiest.first()]);
      if (more < 0 || (more == 0 && slab.slots() <= emptiest.slots())) {
        emptiest = slab;
      }
    }
    leaving = emptiest;
    leavingSlots = emptiest.slots() - idle[emptiest.first()];
    slots -= emptiest.slots();
    dropFree(emptiest);
    goIfEmpty(later);
  }

  /** The free slots of each slab, at the number of its first slot. */
  private int[] idleSlots() {
    int[] idle = new int[places.length];
    for (int i = 0; i < freeCount; i++) {
      idle[first(free[i])]++;
    }
    return idle;
  }

  private int first(int slot) {
    return slabs.stream().filter(slab -> slab.holds(slot)).findFirst().orElseThrow().first();
  }

  private void dropFree(Slab slab) {
    int kept = 0;
    for (int i = 0; i < freeCount; i++) {
      if (!slab.holds(free[i])) {
        free[kept++] = free[i];
      }
    }
    freeCount = kept;
  }

  private void goIfEmpty(List<Runnable> later) {
    Slab slab = leaving;
    if (slab != null && leavingSlots == 0) {
      leaving = null;
      slabs.remove(slab);
      later.add(() -> memory.giveUp(slab.address()));
    }
  }

  /** Whether a slab leaves, some of whose slots are still taken. */
  boolean isLeaving() {
    return leaving != null;
  }

  /** Whether a slot belongs to the slab that leaves. */
  boolean isLeaving(int slot) {
    return leaving != null && leaving.holds(slot);
  }

  /** How many of these slots are free once they are given back. */
  int staying(int[] numbers) {
    Slab slab = leaving;
    return slab == null
        ? numbers.length
        : (int) Arrays.stream(numbers).filter(slot -> !slab.holds(slot)).count();
  }

  /** Handles to all slots, but those of slabs that have left. */
  List<SlotExport> exports() {
    return slabs.stream()
        .map(slab -> new SlotExport(slab.first(), slab.slots(), memory.export(slab.address())))
        .toList();
  }

  /**
   * Takes slots that are free: at most {@link #freeSlots}. They rise, so that chunks that follow
   * each other mostly do so in the memory, too.
   */
  int[] take(int slots) {
    freeCount -= slots;
    int[] taken = Arrays.copyOfRange(free, freeCount, freeCount + slots);
    Arrays.sort(taken);
    return taken;
  }

  @Override
  public Place place(int slot) {
    return places[slot];
  }

  @Override
  public void giveBack(int[] slots, List<Runnable> later) {
    for (int i = slots.length - 1; i >= 0; i--) { // so that the lowest one is taken first
      if (isLeaving(slots[i])) {
        leavingSlots--;
      } else {
        free[freeCount++] = slots[i];
      }
    }
    goIfEmpty(later);
    if (closed) {
      freeIdleSlabs(later);
    }
  }

  /** Gives the memory back, what has slots that are taken as soon as they are given back. */
  void close(List<Runnable> later) {
    closed = true;
    freeIdleSlabs(later);
  }

  private void freeIdleSlabs(List<Runnable> later) {
    boolean[] idle = new boolean[places.length];
    for (int i = 0; i < freeCount; i++) {
      idle[free[i]] = true;
    }
    for (Slab slab : List.copyOf(slabs)) {
      if (isIdle(slab, idle)) {
        slabs.remove(slab);
        later.add(() -> memory.free(slab.address()));
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
