package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Level;
import io.cairn.Region;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.Until;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that outlive the process which wrote them. */
@Timeout(60)
class ResumedHistoryTest {
  private static final int CHUNK = 4096;

  @TempDir Path directory;
  private final DeviceMemory device = new DelayedDevice(1 << 20, 5);
  private final byte[] field = new byte[3 * CHUNK];
  private int length = field.length;

  @AfterEach
  void closeDevice() {
    device.close();
  }

  private History open(int fileChunks) throws IOException {
    History history =
        History.resume(
            device,
            new HistorySettings(
                6 * CHUNK, CHUNK, directory.resolve("states"), (long) fileChunks * CHUNK));
    RegionSet regions = history.regions();
    assertThat(regions).isNotNull();
    history.protect(Region.of("field", field));
    return history;
  }

  private void store(History history, long step) {
    Arrays.fill(field, (byte) (step + 1));
    history.store(step);
  }

  private void requireStep(History history, long step, boolean last) {
    Arrays.fill(field, (byte) 0);
    history.restore(step, last);
    assertThat(field).containsOnly((byte) (step + 1));
  }

  @Test
  void findsWhatLiesInTheFiles() throws IOException {
    try (History history = open(400)) {
      for (long step = 0; step < 10; step++) {
        store(history, step);
      }
      assertThat(history.where(9)).containsExactly(Level.DEVICE);
    }
    try (History history = open(400)) {
      assertThat(history.steps()).startsWith(0, 1, 2, 3, 4, 5, 6, 7).doesNotContain(9);
      for (long step = 7; step >= 0; step--) {
        requireStep(history, step, true);
      }
      history.delete();
    }
    assertThat(directory.resolve("states").toFile().list()).containsExactly("lock");
  }

  @Test
  void keepsWhatAKilledProgramMayReadAgain() throws IOException {
    try (History history = open(400)) {
      for (long step = 0; step < 10; step++) {
        store(history, step);
      }
      long mark = history.mark();
      for (long step = 9; step >= 4; step--) {
        requireStep(history, step, true);
      }
      assertThat(mark).isPositive();
    }
    try (History history = open(400)) {
      assertThat(history.steps()).startsWith(0, 1, 2, 3, 4, 5, 6, 7);
      requireStep(history, 6, false);
      history.delete();
    }
  }

  @Test
  void usesChunksAgainAfterTheirMark() throws IOException {
    try (History history = open(12)) {
      for (int round = 0; round < 20; round++) {
        for (long step = 0; step < 5; step++) {
          store(history, step);
        }
        history.passed(history.mark());
        for (long step = 4; step >= 0; step--) {
          requireStep(history, step, true);
        }
      }
      assertThat(history.stats().peakFileBytes()).isLessThanOrEqualTo(12 * CHUNK);
      history.delete();
    }
  }

  @Test
  void writesWhatIsSecured() throws IOException, InterruptedException {
    try (History history = open(12)) {
      history.expect(1, CHUNK);
      store(history, 0);
      assertThat(history.durableBelow()).isZero();
      history.secure(0);
      history.secure(7);
      Until.holds(() -> history.durableBelow() == 1);
      assertThat(history.where(0)).contains(Level.NODE);
      store(history, 1);
      store(history, 2);
      history.secure(2);
      Until.holds(() -> history.where(2).contains(Level.NODE));
      assertThat(history.durableBelow()).isEqualTo(1);
      history.discard(1);
      history.discard(2);
      assertThat(history.durableBelow()).isEqualTo(1);
    }
    try (History history = open(12)) {
      requireStep(history, 0, true);
      history.delete();
    }
  }

  @Test
  void neverReadsBytesOfAnotherState() throws IOException {
    for (int seed = 0; seed < 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int life = 0; life < 5; life++) {
        try (History history = open(random.nextInt(9, 40))) {
          for (long step : history.steps()) {
            requireStep(history, step, random.nextBoolean());
          }
          for (int i = 0; i < 20; i++) {
            long step = random.nextInt(12);
            try {
              store(history, step);
            } catch (HistoryException e) {
              history.discard(random.nextInt(12));
            }
          }
        } catch (RuntimeException | AssertionError e) {
          throw new AssertionError("seed " + seed + ", life " + life, e);
        }
        cutTheLastRecord(random);
      }
      Files.deleteIfExists(directory.resolve("states/journal"));
    }
  }

  private void cutTheLastRecord(SplittableRandom random) throws IOException {
    try (RandomAccessFile journal =
        new RandomAccessFile(directory.resolve("states/journal").toFile(), "rw")) {
      journal.setLength(Math.max(0, journal.length() - random.nextInt(30)));
    }
  }

  @Test
  void damageOfTheJournalLosesStatesAlone() throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 60; round++) {
      try (History history = open(40)) {
        for (long step : history.steps()) {
          requireStep(history, step, true);
        }
        for (long step = 0; step < 8; step++) {
          store(history, step);
        }
      }
      try (RandomAccessFile journal =
          new RandomAccessFile(directory.resolve("states/journal").toFile(), "rw")) {
        journal.seek(random.nextLong(journal.length()));
        journal.write(random.nextInt());
      }
    }
  }

  @Test
  void aHistoryThatIsClosedAgainLeavesItsSuccessorAlone() throws IOException {
    HistorySettings settings =
        new HistorySettings(6 * CHUNK, CHUNK, directory.resolve("states"), 12 * CHUNK);
    History first = History.open(device, settings);
    first.close();
    History second = open(12);
    store(second, 3);
    second.secure(3);
    Until.holds(() -> second.where(3).contains(Level.NODE));
    first.close();
    first.delete();
    second.close();
    try (History third = open(12)) {
      requireStep(third, 3, true);
      third.delete();
    }
  }

  @Test
  void aHistoryThatDoesNotResumeLeavesTheStatesThere() throws IOException {
    HistorySettings settings =
        new HistorySettings(6 * CHUNK, CHUNK, directory.resolve("states"), 12 * CHUNK);
    try (History history = open(12)) {
      store(history, 0);
      history.secure(0);
      Until.holds(() -> history.where(0).contains(Level.NODE));
    }
    assertThatThrownBy(() -> History.open(device, settings))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("go on by History.resume");
    try (History history = open(12)) {
      requireStep(history, 0, true);
      history.delete();
    }
    History.open(device, settings).close();
  }

  /** Another process opened the lock's file before it, and locks it afterwards. */
  @Test
  void aLockOutlivesADeletion() throws IOException {
    History history = open(12);
    try (FileChannel early =
        FileChannel.open(directory.resolve("states/lock"), StandardOpenOption.WRITE)) {
      history.delete();
      assertThat(early.tryLock()).isNotNull();

      assertThatThrownBy(() -> open(12))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("belongs to another history");
    }
    open(12).delete();
  }

  @Test
  void statesOfAnotherRunAreNotTakenOver() throws IOException {
    UUID run = UUID.randomUUID();
    try (History history = open(60)) {
      history.takeOver(run);
      store(history, 1);
      history.secure(1);
      Until.holds(() -> history.where(1).contains(Level.NODE));
    }
    try (History history = open(60)) {
      store(history, 2);
      history.takeOver(run);
      assertThat(history.steps()).containsExactly(1, 2);
      requireStep(history, 1, false);
      store(history, 3);
      history.takeOver(UUID.randomUUID());
      assertThat(history.steps()).as("its own").containsExactly(2, 3);
      history.delete();
    }
  }

  @Test
  void aStateOfOtherRegionsIsRefused() throws IOException {
    try (History history = open(12)) {
      store(history, 0);
      history.secure(0);
      RegionSet other = history.regions();
      other.protect(Region.of("field", new byte[CHUNK]), () -> length);
      assertThatThrownBy(() -> history.restore(0, other, false))
          .isInstanceOf(HistoryException.class)
          .hasMessage("step 0 has 12288 bytes of region field; its memory has 4096");
      history.delete();
    }
  }
}
