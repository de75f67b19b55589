package io.cairn.cache.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.cache.memory.DelayedDevice;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GrowthTest {
  private static final int CHUNK_BYTES = 64;
  private static final GroupId GROUP = new GroupId("job", "fold-1");

  private final DelayedDevice device = new DelayedDevice(50 * CHUNK_BYTES, 7);
  private final ChunkCache cache = cache(50);
  private final Growth growth = cache.growth();

  private ChunkCache cache(int most) {
    try {
      return new ChunkCache(device, CHUNK_BYTES, (long) most * CHUNK_BYTES, device, 0, CHUNK_BYTES);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void close() {
    cache.close();
    device.close();
  }

  private CachedCheckpoint reserve(long iteration, int chunks) {
    return cache.reserve(new CheckpointId(GROUP, 1, iteration), 0, chunks).orElseThrow();
  }

  @Test
  void aCacheHasRoomForTwoCheckpointsOfEachRankAndOneChunk() throws Exception {
    assertThat(cache.slots()).isEqualTo(1);

    assertThat(growth.expect(GROUP, 0, 10)).isTrue();
    assertThat(growth.bytes()).isEqualTo(21 * CHUNK_BYTES);
    assertThat(cache.slots()).isEqualTo(1);
    growth.grow();
    assertThat(cache.slots()).isEqualTo(21);
    assertThat(growth.expect(GROUP, 0, 10)).isFalse();

    assertThat(growth.expect(GROUP, 1, 5)).isTrue();
    growth.grow();
    assertThat(cache.slots()).isEqualTo(31);
    assertThat(reserve(0, 15).placed()).isEqualTo(15);
    assertThat(reserve(1, 15).placed()).isEqualTo(15);
    assertThat(cache.freeSlots()).isEqualTo(1);
  }

  @Test
  void smallCheckpointsHaveMoreRoomThanForTwo() throws Exception {
    growth.expect(GROUP, 0, 1);
    growth.grow();
    assertThat(cache.slots()).isEqualTo(16);
  }

  @Test
  void aRankThatComesLaterHasTheSlotsOfOneThatLeft() throws Exception {
    growth.expect(GROUP, 0, 3);
    growth.grow();
    growth.forget(GROUP, 0);

    assertThat(growth.expect(GROUP, 1, 3)).isFalse();
  }

  @Test
  void theBoundHolds() throws Exception {
    assertThat(growth.expect(GROUP, 0, 30)).isTrue();
    assertThat(growth.bytes()).isEqualTo(50 * CHUNK_BYTES);
    assertThat(growth.wantedBytes()).isEqualTo(61 * CHUNK_BYTES);
    growth.grow();
    assertThat(cache.slots()).isEqualTo(50);
    assertThat(cache.slotsSoFar()).isEqualTo(50);
    assertThat(growth.expect(GROUP, 0, 31)).isFalse();
  }

  @Test
  void aCacheOfOneSizeNeverGrows() throws Exception {
    try (ChunkCache fixed = new ChunkCache(device, 2 * CHUNK_BYTES, CHUNK_BYTES)) {
      assertThat(fixed.growth().expect(GROUP, 0, 3)).isFalse();
      assertThat(fixed.slots()).isEqualTo(2);
    }
  }

  @Test
  void whereTheMemoryHasNoRoomForTwoCheckpointsTheCacheHasThatForOne() throws Exception {
    try (ChunkCache other = new ChunkCache(device, 45 * CHUNK_BYTES, CHUNK_BYTES)) {
      assertThat(other.slots()).isEqualTo(45);
      growth.expect(GROUP, 0, 3);
      assertThatIOException().isThrownBy(growth::grow).withMessageContaining("only 4 fit");
      assertThat(cache.slots()).isEqualTo(4);
      assertThat(growth.expect(GROUP, 0, 4)).isFalse();
    }
  }

  @Test
  void whereTheMemoryHasNoRoomForACheckpointTheCacheStaysAsItIs() throws Exception {
    try (ChunkCache other = new ChunkCache(device, 45 * CHUNK_BYTES, CHUNK_BYTES)) {
      assertThat(other.slots()).isEqualTo(45);
      growth.expect(GROUP, 0, 10);
      assertThatIOException().isThrownBy(growth::grow);
      assertThat(cache.slots()).isEqualTo(1);
      assertThat(growth.expect(GROUP, 0, 10)).isFalse();
    }
  }

  private void refuse(int chunks) throws Exception {
    try (ChunkCache other = new ChunkCache(device, 45 * CHUNK_BYTES, CHUNK_BYTES)) {
      assertThat(other.slots()).isEqualTo(45);
      assertThat(growth.expect(GROUP, 0, chunks)).isTrue();
      assertThatIOException().isThrownBy(growth::grow);
    }
  }

  @Test
  void ranksThatNeedAnotherSizeAskTheMemoryAgain() throws Exception {
    refuse(20);
    assertThat(growth.expect(GROUP, 0, 20)).isFalse();
    assertThat(growth.expect(GROUP, 0, 22)).as("a state that varies a little").isFalse();

    assertThat(growth.expect(GROUP, 0, 23)).isTrue();
    growth.grow();

    assertThat(cache.slots()).isEqualTo(47);
  }

  @Test
  void aRankThatComesAfterOneThatWasRefusedAsksTheMemoryAgain() throws Exception {
    refuse(10);
    growth.forget(GROUP, 0);

    assertThat(growth.expect(GROUP, 0, 10)).isTrue();
    growth.grow();

    assertThat(cache.slots()).isEqualTo(21);
  }

  @Test
  void aCacheThatGaveMemoryUpDoesNotGrowAgain() throws Exception {
    growth.expect(GROUP, 0, 10);
    growth.grow();
    cache.shrinking().begin();

    assertThat(growth.expect(GROUP, 0, 15)).isFalse();
  }

  @Test
  void aPeerThatKnowsTheCacheOpensWhatItHasTakenSince() throws Exception {
    try (PeerSlots slots = PeerSlots.open(device, cache.lentSlots().exports(), CHUNK_BYTES)) {
      growth.expect(GROUP, 0, 3);
      growth.grow();
      assertThat(slots.knows(1)).isFalse();

      slots.openMore(device, cache.lentSlots().exports(), CHUNK_BYTES);

      assertThat(slots.knows(15)).isTrue();
      assertThat(slots.slots()).isEqualTo(16);
    }
  }
}
