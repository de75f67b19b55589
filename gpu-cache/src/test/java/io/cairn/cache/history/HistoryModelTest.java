package io.cairn.cache.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import io.cairn.core.session.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
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
        runAlone(seed, device);
      }
    }
  }

  @Test
  @Timeout(120)
  void keepsEveryByteInMemoryThatItDoesNot() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      try (DelayedDevice device = new DelayedDevice(1 << 20, seed)) {
        runAlone(seed, device);
      }
    }
  }

  private void runAlone(long seed, DeviceMemory device) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    MapStore store = new MapStore();
    int failing = random.nextInt(2, 40);
    AtomicInteger calls = new AtomicInteger();
    store.fails =
        call ->
            (call.startsWith("create") || call.startsWith("write") || call.startsWith("commit"))
                && calls.incrementAndGet() % failing == 0;
    long stored = random.nextInt(3) == 0 ? 0 : random.nextLong(200) * CHUNK;
    try (DelayedDevice host = new DelayedDevice(1 << 20, seed)) {
      Path states = directory.resolve("states");
      HistoryPlaces places = HistoryPlaces.on(device).withStore(store, stored);
      new Program(seed, states, bytes -> places.withHost(host, bytes)).run();
    }
    assertThat(store.objects).as("seed %d", seed).isEmpty();
  }

  @Test
  @Timeout(120)
  void keepsEveryByteThatPeersLend() throws IOException {
    try (DeviceMemory device = SharedMemoryDevice.open(directory, directory, 4 << 20)) {
      for (int seed = 0; seed < SEEDS; seed++) {
        SplittableRandom random = new SplittableRandom(seed);
        HistoryPeers peers = new HistoryPeers(Topology.uniform(3, 24e9, 12e9));
        List<Program> programs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          HistoryPlaces places = HistoryPlaces.on(device).withPeers(peers, i);
          Path states = directory.resolve("states-" + i);
          programs.add(new Program(3L * seed + i, states, bytes -> places));
        }
        for (int i = 0; i < 150; i++) {
          programs.get(random.nextInt(3)).act();
        }
        Collections.shuffle(programs, new Random(seed));
        // A borrower without other room keeps what it borrowed until it has read its states.
        programs.forEach(Program::restoreAll);
        programs.forEach(Program::end);
      }
    }
  }

  /** One random program. */
  private static final class Program {
    private static final int LONGS = 2000;
    private static final int BYTES = 30_000;

    private final SplittableRandom random;
    private final String name;
    private final HistorySettings settings;
    private final long hostBytes;
    private final TreeMap<Long, long[]> longsOf = new TreeMap<>();
    private final TreeMap<Long, byte[]> bytesOf = new TreeMap<>();
    private final long[] longs = new long[LONGS];
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
    private int length;
    private final RegionSet regions;
    private final boolean sequential;
    private long acts;
    private final History history;

    Program(long seed, Path directory, LongFunction<HistoryPlaces> places) throws IOException {
      random = new SplittableRandom(seed);
      name = "seed " + seed;
      sequential = random.nextBoolean();
      long deviceChunks = random.nextInt(12, 60);
      long fileChunks = random.nextInt(4) == 0 ? random.nextInt(0, 20) : 400;
      hostBytes = random.nextInt(3) == 0 ? 0 : random.nextLong(40) * CHUNK;
      settings = new HistorySettings(deviceChunks * CHUNK, CHUNK, directory, fileChunks * CHUNK);
      history = History.open(places.apply(hostBytes), settings);
      regions = history.regions();
      regions.protect(Region.of("longs", longs));
      regions.protect(Region.of("bytes", bytes), () -> length);
    }

    void run() {
      for (int i = 0; i < 120; i++) {
        act();
      }
      end();
    }

    /** Does something random. */
    void act() {
      try {
        act(sequential ? acts++ / 2 : random.nextInt(60));
      } catch (RuntimeException | AssertionError e) {
        throw failed(e);
      }
    }

    void restoreAll() {
      try {
        while (!bytesOf.isEmpty()) {
          restore(bytesOf.lastKey(), true);
        }
      } catch (RuntimeException | AssertionError e) {
        throw failed(e);
      }
    }

    /** Restores all states, checks that nothing was leaked, and closes. */
    void end() {
      restoreAll();
      try (history) {
        drain();
        checkLimits(history.stats());
      } catch (RuntimeException | AssertionError e) {
        throw failed(e);
      }
    }

    private AssertionError failed(Throwable e) {
      return new AssertionError(name + ", " + settings + ", host " + hostBytes, e);
    }

    private void act(long step) {
      switch (random.nextInt(13)) {
        case 0 -> history.hint(order());
        case 1 -> history.expect(random.nextInt(80), random.nextInt(60_000));
        case 2 -> {
          history.discard(step);
          forget(step);
        }
        case 3, 4, 5 -> restore(step, random.nextInt(3) == 0);
        case 6 -> history.secure(step);
        default -> store(step);
      }
    }

    private ReadOrder order() {
      return random.nextInt(3) == 0
          ? ReadOrder.REVERSE
          : ReadOrder.of(
              LongStream.generate(() -> random.nextInt(60)).limit(random.nextInt(80)).toArray());
    }

    private void store(long step) {
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

    private void restore(long step, boolean last) {
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

    /** A state as large as the device finds room: nothing was leaked. */
    private void drain() {
      history.discard(0);
      long room = settings.deviceBytes() - LONGS * 8L / CHUNK * CHUNK - CHUNK;
      length = (int) Math.min(BYTES, room);
      history.store(1, regions);
      history.discard(1);
    }

    private void checkLimits(HistoryStats stats) {
      assertThat(stats.peakDeviceBytes()).isLessThanOrEqualTo(settings.deviceBytes());
      for (HistoryStats.Place place : stats.below()) {
        if (place.name().equals("host memory")) {
          assertThat(place.peakBytes()).isLessThanOrEqualTo(hostBytes);
        }
      }
      assertThat(stats.peakFileBytes()).isLessThanOrEqualTo(settings.fileBytes());
    }
  }
}
