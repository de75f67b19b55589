package io.cairn.cache.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads that fill, pin, read, evict, lend and take back at once never see each other's bytes. */
class ChunkCacheConcurrencyTest {
  private static final int CHUNK_BYTES = 4096;
  private static final int SLOTS = 10;
  private static final int THREADS = 4;
  private static final int ROUNDS = 400;

  private final AtomicInteger captured = new AtomicInteger();
  private final AtomicBoolean trained = new AtomicBoolean();

  @Test
  void ownersDoNotDisturbEachOther(@TempDir Path directory) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS + 1);
    try (DeviceMemory device = SharedMemoryDevice.open(directory, directory, SLOTS * CHUNK_BYTES);
        ChunkCache cache = new ChunkCache(device, SLOTS * CHUNK_BYTES, CHUNK_BYTES)) {
      assertThat(lend(cache, 0)).as("slots of an empty cache").isEqualTo(2);
      List<Future<?>> owners = new ArrayList<>();
      for (int owner = 0; owner < THREADS; owner++) {
        GroupId group = new GroupId("job", "g" + owner);
        owners.add(pool.submit(() -> train(device, cache, group)));
      }
      Future<?> lender = pool.submit(() -> lendWhileTheyTrain(cache));
      for (Future<?> owner : owners) {
        owner.get();
      }
      trained.set(true);
      lender.get();
      int kept = 0;
      for (int owner = 0; owner < THREADS; owner++) {
        for (CachedCheckpoint one : cache.of(new GroupId("job", "g" + owner), 0)) {
          kept += one.chunks();
        }
      }
      assertThat(cache.freeSlots() + kept).isEqualTo(SLOTS);
      assertThat(captured.get()).isGreaterThan(ROUNDS);
      assertThat(cache.evictions()).isPositive();
    } finally {
      pool.shutdownNow();
    }
  }

  private Void lendWhileTheyTrain(ChunkCache cache) throws Exception {
    for (int round = 1; !trained.get(); round++) {
      lend(cache, round);
    }
    return null;
  }

  /** Lends up to two slots, fills them, reads them again, and takes them back. */
  private static int lend(ChunkCache cache, int round) throws Exception {
    LentSlots lending = cache.lentSlots();
    byte[] content = new byte[CHUNK_BYTES];
    Arrays.fill(content, (byte) ~round);
    int[] slots = lending.lend(2);
    for (int slot : slots) {
      Place place = lending.place(slot);
      CopyEvent event =
          place.engine().copyAndChecksumAsync(HostMemory.of(content), 0, place.address());
      event.await();
    }
    for (int slot : slots) {
      ByteBuffer found = ByteBuffer.allocate(CHUNK_BYTES);
      Place place = lending.place(slot);
      place.engine().copyToHostAsync(place.address(), found).awaitLanding();
      assertThat(found.array()).isEqualTo(content);
    }
    lending.takeBack(slots);
    return slots.length;
  }

  private Void train(DeviceMemory device, ChunkCache cache, GroupId group) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      int slots = 1 + round % 3;
      Optional<CachedCheckpoint> reserved =
          cache.reserve(new CheckpointId(group, 1, round), 0, slots);
      if (reserved.isPresent()) {
        captured.incrementAndGet();
        capture(device, reserved.get(), (byte) (group.hashCode() * 31 + round));
      }
    }
    return null;
  }

  private static void capture(DeviceMemory device, CachedCheckpoint checkpoint, byte value)
      throws Exception {
    byte[] content = new byte[CHUNK_BYTES];
    Arrays.fill(content, value);
    int[] checksums = new int[checkpoint.chunks()];
    for (int slot = 0; slot < checksums.length; slot++) {
      CopyEvent event =
          device.copyAndChecksumAsync(HostMemory.of(content), 0, checkpoint.place(slot).address());
      event.await();
      checksums[slot] = event.checksum();
    }
    long bytes = (long) checksums.length * CHUNK_BYTES;
    try (Pin pin = checkpoint.pin().orElseThrow()) {
      checkpoint.complete(
          List.of(new RegionImage("r", bytes, CHUNK_BYTES, checksums)),
          Ancestry.NONE,
          Fingerprint.NONE);
      ByteBuffer found = ByteBuffer.allocate(CHUNK_BYTES);
      for (int chunk = 0; chunk < checksums.length; chunk++) {
        pin.reader().read(0, chunk, found.clear());
        assertThat(found.array()).isEqualTo(content);
      }
    }
  }
}
