package io.cairn.cache.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.cache.memory.CopyCounter;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks that are compared with those of an older checkpoint, which nothing pins. */
class OlderChunksTest {
  private static final int CHUNK_BYTES = 64;
  private static final GroupId GROUP = new GroupId("job", "g");

  @TempDir Path directory;
  private DeviceMemory shared;
  private ChunkCache cache;
  private Runnable atNextLook = () -> {};
  private boolean compares = true;

  @BeforeEach
  void open() throws IOException {
    shared = SharedMemoryDevice.open(directory, directory, 6 * CHUNK_BYTES);
    cache = new ChunkCache(watched(), 6 * CHUNK_BYTES, CHUNK_BYTES);
  }

  @AfterEach
  void closeAll() {
    cache.close();
    shared.close();
  }

  /** The device, which runs something before it compares bytes. */
  private DeviceMemory watched() {
    return (DeviceMemory)
        Proxy.newProxyInstance(
            DeviceMemory.class.getClassLoader(),
            new Class<?>[] {DeviceMemory.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("equal")) {
                atNextLook.run();
                if (!compares) {
                  return Optional.empty();
                }
              }
              try {
                return method.invoke(shared, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(GROUP, 1, iteration);
  }

  /** A checkpoint with a chunk for each value. */
  private CachedCheckpoint capture(long iteration, String region, int... values) throws Exception {
    CachedCheckpoint checkpoint = cache.reserve(id(iteration), 0, values.length).orElseThrow();
    for (int chunk = 0; chunk < values.length; chunk++) {
      byte[] bytes = new byte[CHUNK_BYTES];
      bytes[CHUNK_BYTES - 1] = (byte) values[chunk];
      Place place = checkpoint.place(chunk);
      CopyEvent event =
          place.engine().copyAndChecksumAsync(HostMemory.of(bytes), 0, place.address());
      event.await();
    }
    long bytes = (long) values.length * CHUNK_BYTES;
    checkpoint.complete(
        List.of(new RegionImage(region, bytes, CHUNK_BYTES, new int[values.length])),
        Ancestry.NONE,
        Fingerprint.NONE);
    return checkpoint;
  }

  private boolean equal(CachedCheckpoint checkpoint, long older, int chunk) throws IOException {
    try (Pin pin = checkpoint.pin().orElseThrow()) {
      return pin.reader().equalsOlder(id(older), 0, chunk);
    }
  }

  @Test
  void equalChunksAreFoundAndOthersAreNot() throws Exception {
    capture(1, "r", 7, 8);
    CachedCheckpoint now = capture(2, "r", 7, 9);

    assertThat(equal(now, 1, 0)).isTrue();
    assertThat(equal(now, 1, 1)).isFalse();
  }

  @Test
  void anOlderCheckpointIsAtHandUntilItLeaves() throws Exception {
    CachedCheckpoint before = capture(1, "r", 7);
    CachedCheckpoint now = capture(2, "r", 7);

    try (Pin pin = now.pin().orElseThrow()) {
      assertThat(pin.reader().hasOlder(id(1))).isTrue();
      before.discard();
      assertThat(pin.reader().hasOlder(id(1))).isFalse();
    }
  }

  /** Its memory is not mapped by the host. */
  @Test
  void aDeviceComparesByItself() throws Exception {
    CopyCounter counter = new CopyCounter();
    cache.close();
    try (DelayedDevice below = new DelayedDevice(1024, 1);
        DeviceMemory device = counter.count(below)) {
      cache = new ChunkCache(device, 6 * CHUNK_BYTES, CHUNK_BYTES);
      capture(1, "r", 7, 8);
      CachedCheckpoint now = capture(2, "r", 7, 9);

      try (Pin pin = now.pin().orElseThrow()) {
        assertThat(pin.reader().hasOlder(id(1))).isTrue();
      }
      assertThat(equal(now, 1, 0)).isTrue();
      assertThat(equal(now, 1, 1)).isFalse();
      assertThat(counter.bytesToHost()).isZero();
      cache.close();
    }
  }

  @Test
  void aDeviceThatComparesNothingHasNothingAtHand() throws Exception {
    capture(1, "r", 7);
    CachedCheckpoint now = capture(2, "r", 7);
    compares = false;

    try (Pin pin = now.pin().orElseThrow()) {
      assertThat(pin.reader().hasOlder(id(1))).isFalse();
      assertThat(pin.reader().equalsOlder(id(1), 0, 0)).isFalse();
    }
  }

  @Test
  void anotherRegionOrShapeIsNotCompared() throws Exception {
    capture(1, "other", 7);
    capture(2, "r", 7, 7);
    CachedCheckpoint now = capture(3, "r", 7);

    assertThat(equal(now, 1, 0)).isFalse();
    assertThat(equal(now, 2, 0)).isFalse();
  }

  @Test
  void oneThatLeftIsNotCompared() throws Exception {
    capture(1, "r", 7).discard();

    assertThat(equal(capture(2, "r", 7), 1, 0)).isFalse();
  }

  /** Its slot may hold a newer checkpoint's bytes by then. */
  @Test
  void oneThatLeavesWhileItIsComparedCountsAsDifferent() throws Exception {
    CachedCheckpoint older = capture(1, "r", 7);
    CachedCheckpoint now = capture(2, "r", 7);
    atNextLook = older::discard;

    assertThat(equal(now, 1, 0)).isFalse();
  }

  @Test
  void anOlderOneIsNotKeptByTheComparison() throws Exception {
    capture(1, "r", 7, 7);
    CachedCheckpoint now = capture(2, "r", 7, 7);
    boolean[] reserved = new boolean[1];
    atNextLook =
        () -> {
          atNextLook = () -> {};
          reserved[0] = cache.reserve(id(3), 0, 4).isPresent();
        };

    assertThat(equal(now, 1, 0)).isFalse();
    assertThat(reserved[0]).isTrue();
  }
}
