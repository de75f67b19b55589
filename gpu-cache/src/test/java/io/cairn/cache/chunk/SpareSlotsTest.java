package io.cairn.cache.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpareSlotsTest {
  private static final int CHUNK_BYTES = 64;
  private static final int SLOTS = 10;
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "g"), 1, 1);

  private final DelayedDevice device = new DelayedDevice(SLOTS * CHUNK_BYTES, 7);
  private final ChunkCache cache;

  SpareSlotsTest() throws IOException {
    cache = new ChunkCache(device, SLOTS * CHUNK_BYTES, CHUNK_BYTES);
  }

  @AfterEach
  void close() {
    cache.close();
    device.close();
  }

  @Test
  void takenSlotsAreNobodyElses() {
    SpareSlots slots = SpareSlots.take(cache, 6).orElseThrow();
    Set<Place> places = new HashSet<>();
    for (int slot = 0; slot < 6; slot++) {
      places.add(slots.place(slot));
    }

    assertThat(places).hasSize(6);
    assertThat(cache.freeSlots()).isEqualTo(4);
    assertThat(cache.reserve(ID, 0, 5)).isEmpty();
    assertThat(cache.lentSlots().lend(SLOTS)).hasSize(4);
  }

  @Test
  void slotsReturnOnce() {
    SpareSlots slots = SpareSlots.take(cache, 6).orElseThrow();

    slots.close();
    slots.close();

    assertThat(cache.freeSlots()).isEqualTo(SLOTS);
    assertThat(cache.reserve(ID, 0, SLOTS)).isPresent();
  }

  /** The group may agree on a checkpoint in the cache. */
  @Test
  void nothingIsEvictedForThem() {
    RegionImage five = new RegionImage("r", 5L * CHUNK_BYTES, CHUNK_BYTES, new int[5]);
    cache.reserve(ID, 0, 5).orElseThrow().complete(List.of(five), Ancestry.NONE, Fingerprint.NONE);

    assertThat(SpareSlots.take(cache, 6)).isEmpty();
    assertThat(cache.find(ID, 0)).isPresent();
    assertThat(cache.freeSlots()).isEqualTo(5);
  }

  @Test
  void aClosedCacheHasNone() {
    cache.close();

    assertThat(SpareSlots.take(cache, 0)).isEmpty();
  }

  @Test
  void aCacheThatClosesFreesTheirMemoryWhenTheyReturn() throws IOException {
    SpareSlots slots = SpareSlots.take(cache, 6).orElseThrow();
    cache.close();
    assertThatIOException().isThrownBy(() -> device.allocate(SLOTS * CHUNK_BYTES));

    slots.close();

    device.free(device.allocate(SLOTS * CHUNK_BYTES));
  }
}
