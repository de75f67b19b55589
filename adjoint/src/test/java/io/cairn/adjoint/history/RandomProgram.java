package io.cairn.adjoint.history;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** A random program against a map of steps. */
final class RandomProgram {
  private static final int CHUNK = 4096;
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

  /** Whether processes that lent memory have died. */
  private boolean losesStates;

  private int losses;
  private final History history;

  RandomProgram(long seed, Path directory, LongFunction<HistoryPlaces> places) throws IOException {
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

  /** From now on states may be lost, but no byte may be wrong. */
  void losesStates() {
    losesStates = true;
  }

  /** States that were lost. */
  int losses() {
    return losses;
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
    byte[] content = new byte[length];
    random.nextBytes(content);
    bytes.put(0, content);
  }

  private void forget(long step) {
    longsOf.remove(step);
    bytesOf.remove(step);
  }

  private long length(long step) {
    return requireNonNull(bytesOf.get(step)).length;
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
    if (!losesStates) {
      assertThat(history.where(step)).as(name).isNotEmpty();
    }
    if (isLost(step, last)) {
      losses++;
      history.discard(step);
      forget(step);
      return;
    }
    byte[] found = new byte[expected.length];
    bytes.get(0, found);
    assertThat(found).as("%s, step %d", name, step).isEqualTo(expected);
    assertThat(longs).as("%s, step %d", name, step).isEqualTo(longsOf.get(step));
    if (last) {
      forget(step);
    }
  }

  /**
   * Whether a state is lost, which is restored else. One that was restored from the device a moment
   * ago may be read from a process that died meanwhile, so no earlier read tells.
   */
  private boolean isLost(long step, boolean last) {
    try {
      assertThat(history.restore(step, regions, last)).isEqualTo(length(step) + LONGS * 8L);
      return false;
    } catch (HistoryException e) {
      if (!losesStates) {
        throw e;
      }
      assertThat(e)
          .as(name)
          .hasMessageMatching(
              String.format(Locale.ROOT, "step %d (is lost|was not restored): .*", step));
      return true;
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
