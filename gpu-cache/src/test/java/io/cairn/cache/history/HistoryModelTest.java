package io.cairn.cache.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.session.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Random programs against a map of steps: never a wrong byte, never above its limits. */
class HistoryModelTest {
  private static final int CHUNK = 4096;
  private static final int SEEDS = 150;

  @TempDir Path directory;

  @Test
  @Timeout(120)
  void keepsEveryByteInMemoryThatTheHostMaps() throws IOException {
    try (DeviceMemory device = SharedMemoryDevice.open(directory, directory, 4 << 20)) {
      for (int seed = 0; seed < SEEDS; seed++) {
        new Program(seed, device, directory.resolve("states")).run();
      }
    }
  }

  @Test
  @Timeout(120)
  void keepsEveryByteInMemoryThatItDoesNot() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (DelayedDevice device = new DelayedDevice(1 << 20, seed)) {
        new Program(seed, device, directory.resolve("states")).run();
      }
    }
  }

  /** One random program. */
  private static final class Program {
    private static final int LONGS = 2000;
    private static final int BYTES = 30_000;

    private final SplittableRandom random;
    private final String name;
    private final DeviceMemory device;
    private final HistorySettings settings;
    private final long hostChunks;
    private final TreeMap<Long, long[]> longsOf = new TreeMap<>();
    private final TreeMap<Long, byte[]> bytesOf = new TreeMap<>();
    private final long[] longs = new long[LONGS];
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
    private int length;
    private RegionSet regions;

    Program(long seed, DeviceMemory device, Path directory) {
      random = new SplittableRandom(seed);
      name = "seed " + seed;
      this.device = device;
      regions = new RegionSet(device);
      long deviceChunks = random.nextInt(12, 60);
      long fileChunks = random.nextInt(4) == 0 ? random.nextInt(0, 20) : 400;
      hostChunks = random.nextInt(3) == 0 ? 0 : random.nextInt(40);
      settings = new HistorySettings(deviceChunks * CHUNK, CHUNK, directory, fileChunks * CHUNK);
    }

    void run() throws IOException {
      try (DelayedDevice host = new DelayedDevice(1 << 20, hostChunks);
          History history =
              History.open(HistoryPlaces.on(device).withHost(host, hostChunks * CHUNK), settings)) {
        regions = history.regions();
        regions.protect(Region.of("longs", longs));
        regions.protect(Region.of("bytes", bytes), () -> length);
        boolean sequential = random.nextBoolean();
        for (int i = 0; i < 120; i++) {
          act(history, sequential ? i / 2 : random.nextInt(60));
        }
        drain(history);
        checkLimits(history.stats());
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(name + ", " + settings + ", host " + hostChunks, e);
      }
    }

    private void act(History history, long step) {
      switch (random.nextInt(13)) {
        case 0 -> history.hint(order());
        case 1 -> history.expect(random.nextInt(80), random.nextInt(60_000));
        case 2 -> {
          history.discard(step);
          forget(step);
        }
        case 3, 4, 5 -> restore(history, step, random.nextInt(3) == 0);
        case 6 -> history.secure(step);
        default -> store(history, step);
      }
    }

    private ReadOrder order() {
      return random.nextInt(3) == 0
          ? ReadOrder.REVERSE
          : ReadOrder.of(
              LongStream.generate(() -> random.nextInt(60)).limit(random.nextInt(80)).toArray());
    }

    private void store(History history, long step) {
      fill();
      forget(step);
      try {
        history.store(step, regions);
      } catch (HistoryException e) {
        assertThat(e).as(name).hasMessageContaining("no room for step " + step);
        return;
      }
      longsOf.put(step, longs.clone());
      byte[] copy = new byte[length];
      bytes.get(0, copy);
      bytesOf.put(step, copy);
    }

    private void fill() {
      Arrays.setAll(longs, i -> random.nextLong());
      length = random.nextInt(BYTES);
      for (int i = 0; i < length; i++) {
        bytes.put(i, (byte) random.nextInt());
      }
    }

    private void forget(long step) {
      longsOf.remove(step);
      bytesOf.remove(step);
    }

    private void restore(History history, long step, boolean last) {
      byte[] expected = bytesOf.get(step);
      if (expected == null) {
        assertThatThrownBy(() -> history.restore(step, regions, last))
            .isInstanceOf(HistoryException.class)
            .hasMessageContaining("step " + step + " is not stored");
        assertThat(history.where(step)).as(name).isEmpty();
        return;
      }
      assertThat(history.where(step)).as(name).isNotEmpty();
      assertThat(history.restore(step, regions, last)).isEqualTo(expected.length + LONGS * 8L);
      byte[] found = new byte[expected.length];
      bytes.get(0, found);
      assertThat(found).as("%s, step %d", name, step).isEqualTo(expected);
      assertThat(longs).as("%s, step %d", name, step).isEqualTo(longsOf.get(step));
      if (last) {
        forget(step);
      }
    }

    /** Reads all states, then one as large as the device finds room: nothing was leaked. */
    private void drain(History history) throws IOException {
      while (!bytesOf.isEmpty()) {
        restore(history, bytesOf.lastKey(), true);
      }
      history.discard(0);
      long room = settings.deviceBytes() - LONGS * 8L / CHUNK * CHUNK - CHUNK;
      length = (int) Math.min(BYTES, room);
      history.store(1, regions);
      history.discard(1);
    }

    private void checkLimits(HistoryStats stats) {
      assertThat(stats.peakDeviceBytes()).isLessThanOrEqualTo(settings.deviceBytes());
      assertThat(stats.below().get(0).peakBytes())
          .isLessThanOrEqualTo(hostChunks == 0 ? settings.fileBytes() : hostChunks * CHUNK);
      assertThat(stats.peakFileBytes()).isLessThanOrEqualTo(settings.fileBytes());
    }
  }
}
