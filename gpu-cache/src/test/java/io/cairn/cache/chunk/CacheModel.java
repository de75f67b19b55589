package io.cairn.cache.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** The invariants of a chunk cache after each of a random sequence of operations. */
final class CacheModel {
  static final int SLOTS = 12;
  static final int CHUNK_BYTES = 16;

  private static final int OWNERS = 3;

  private final DeviceMemory memory;
  private final ChunkCache cache;
  private final Random random;
  private final List<Entry> held = new ArrayList<>();
  private final List<CachedCheckpoint> evicted = new ArrayList<>();
  private long iteration;

  /** A checkpoint whose slots are taken: reserved, complete, or gone and pinned. */
  private static final class Entry {
    final CachedCheckpoint checkpoint;
    final List<Pin> pins = new ArrayList<>();
    final List<byte[]> content = new ArrayList<>();
    boolean complete;
    boolean gone;

    Entry(CachedCheckpoint checkpoint) {
      this.checkpoint = checkpoint;
    }
  }

  CacheModel(DeviceMemory memory, long seed) throws IOException {
    this.memory = memory;
    random = new Random(seed);
    cache = new ChunkCache(memory, SLOTS * CHUNK_BYTES, CHUNK_BYTES);
    cache.onEvict(evicted::add);
  }

  /** Does one random operation and returns its name. */
  String step() throws Exception {
    int choice = random.nextInt(10);
    if (choice < 4 || held.isEmpty()) {
      return reserve();
    }
    Entry entry = held.get(random.nextInt(held.size()));
    if (!entry.complete && !entry.gone && choice < 9) {
      return complete(entry);
    }
    if (choice < 6) {
      return pin(entry);
    }
    if (choice < 9 && !entry.pins.isEmpty()) {
      entry.pins.remove(random.nextInt(entry.pins.size())).close();
      forget(entry);
      return "unpin " + entry.checkpoint;
    }
    entry.checkpoint.discard();
    entry.gone = true;
    forget(entry);
    return "discard " + entry.checkpoint;
  }

  private String reserve() {
    int slots = random.nextInt(6);
    int owner = random.nextInt(OWNERS);
    CheckpointId id = new CheckpointId(new GroupId("job", "g" + owner), 1, iteration++);
    int free = cache.freeSlots();
    List<Entry> evictable =
        held.stream()
            .filter(one -> one.complete && !one.gone && one.pins.isEmpty())
            .sorted(Comparator.comparing(this::isNewest))
            .toList();
    List<Entry> expected = new ArrayList<>();
    int room = free;
    for (Entry victim : evictable) {
      if (room < slots && victim.checkpoint.chunks() > 0) {
        expected.add(victim);
        room += victim.checkpoint.chunks();
      }
    }
    evicted.clear();
    Optional<CachedCheckpoint> reserved = cache.reserve(id, owner, slots);
    assertThat(reserved.isPresent()).isEqualTo(room >= slots);
    if (reserved.isPresent()) {
      assertThat(evicted).isEqualTo(expected.stream().map(one -> one.checkpoint).toList());
      held.removeAll(expected);
      held.add(new Entry(reserved.get()));
    } else {
      assertThat(evicted).isEmpty();
    }
    return "reserve " + slots + " for " + id;
  }

  private boolean isNewest(Entry entry) {
    return held.stream()
        .filter(one -> one.complete && !one.gone)
        .filter(one -> one.checkpoint.id().group().equals(entry.checkpoint.id().group()))
        .noneMatch(one -> one.checkpoint.id().compareTo(entry.checkpoint.id()) > 0);
  }

  private String complete(Entry entry) throws Exception {
    int slots = entry.checkpoint.chunks();
    int[] checksums = new int[slots];
    for (int slot = 0; slot < slots; slot++) {
      byte[] bytes = new byte[CHUNK_BYTES];
      random.nextBytes(bytes);
      entry.content.add(bytes);
      CopyEvent event =
          memory.copyAndChecksumAsync(
              HostMemory.of(bytes), 0, entry.checkpoint.place(slot).address());
      event.await();
      checksums[slot] = event.checksum();
    }
    long bytes = (long) slots * CHUNK_BYTES;
    entry.checkpoint.complete(
        List.of(new RegionImage("r", bytes, CHUNK_BYTES, checksums)),
        Ancestry.NONE,
        Fingerprint.NONE);
    entry.complete = true;
    return "complete " + entry.checkpoint;
  }

  private String pin(Entry entry) {
    Optional<Pin> pin = entry.checkpoint.pin();
    assertThat(pin.isEmpty()).isEqualTo(entry.gone);
    pin.ifPresent(entry.pins::add);
    return "pin " + entry.checkpoint;
  }

  private void forget(Entry entry) {
    if (entry.gone && entry.pins.isEmpty()) {
      held.remove(entry);
    }
  }

  /** Compares the cache with what it must hold. */
  void check() throws IOException {
    Set<DeviceAddress> slots = new HashSet<>();
    int taken = 0;
    for (Entry entry : held) {
      for (int slot = 0; slot < entry.checkpoint.chunks(); slot++) {
        assertThat(slots.add(entry.checkpoint.place(slot).address()))
            .as("slot is its alone")
            .isTrue();
        taken++;
      }
      assertThat(cache.find(entry.checkpoint.id(), entry.checkpoint.rank()).isPresent())
          .isEqualTo(entry.complete && !entry.gone);
      if (entry.complete && !entry.pins.isEmpty()) {
        checkContent(entry);
      }
    }
    assertThat(cache.freeSlots() + taken).as("slots").isEqualTo(SLOTS);
  }

  private static void checkContent(Entry entry) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(CHUNK_BYTES);
    for (int chunk = 0; chunk < entry.content.size(); chunk++) {
      entry.checkpoint.reader().read(0, chunk, found.clear());
      assertThat(found.array()).isEqualTo(entry.content.get(chunk));
    }
  }

  long evictions() {
    return cache.evictions();
  }

  /** Closes the cache, and then the pins that are left. */
  void end() {
    cache.close();
    held.forEach(entry -> entry.pins.forEach(Pin::close));
  }
}
