package io.cairn.cache.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.memory.DelayedDevice;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random sequences of operations of several owners, checked against a model after every step. */
class ChunkCachePropertyTest {
  private static final int STEPS = 150;

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void slotsAreNeverSharedLostOrChangedWhilePinned(long seed) throws Exception {
    try (DelayedDevice device =
        new DelayedDevice(CacheModel.SLOTS * CacheModel.CHUNK_BYTES, seed)) {
      CacheModel model = new CacheModel(device, seed);
      for (int step = 0; step < STEPS; step++) {
        String operation = model.step();
        try {
          model.check();
        } catch (AssertionError e) {
          throw new AssertionError("seed " + seed + ", step " + step + ", after " + operation, e);
        }
      }
      model.end();
      device.free(device.allocate(CacheModel.SLOTS * CacheModel.CHUNK_BYTES));
      assertThat(model.evictions()).as("seed %d: the cache was ever full", seed).isPositive();
    }
  }
}
