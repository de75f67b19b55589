package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.cairn.Level;
import io.cairn.Region;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HistoryTest {
  private static final int STATE = 8192;
  private static final int CHUNK = 4096;

  @TempDir Path directory;
  private final byte[] field = new byte[STATE];
  private DeviceMemory device = new DelayedDevice(1, 0);

  @BeforeEach
  void openDevice() throws IOException {
    device = SharedMemoryDevice.open(directory, directory, 2 << 20);
  }

  @AfterEach
  void closeDevice() {
    device.close();
  }

  private History history(long deviceStates, long fileStates) throws IOException {
    return History.open(
        device,
        new HistorySettings(
            deviceStates * STATE, CHUNK, directory.resolve("states"), fileStates * STATE));
  }

  private void store(History history, long step) {
    Arrays.fill(field, (byte) (step + 1));
    history.store(step);
  }

  private void restore(History history, long step, boolean last) {
    Arrays.fill(field, (byte) 0);
    assertThat(history.restore(step, last)).isEqualTo(STATE);
    for (byte value : field) {
      assertThat(value).as("step %d", step).isEqualTo((byte) (step + 1));
    }
  }

  @Test
  void movesWhatDoesNotFitOnceDownAndOnceUp() throws IOException {
    try (History history = history(80, 800)) {
      history.protect(Region.of("field", field));
      for (int pass = 0; pass < 2; pass++) {
        history.expect(800, STATE);
        for (long step = 0; step < 800; step++) {
          store(history, step);
        }
        for (long step = 799; step >= 0; step--) {
          restore(history, step, true);
        }
      }
      HistoryStats stats = history.stats();
      assertThat(stats.bytesDown()).isEqualTo(2 * 720L * STATE);
      assertThat(stats.bytesUp() + stats.bytesPast()).isEqualTo(2 * 720L * STATE);
      assertThat(stats.droppedUnwritten()).isEqualTo(160);
      assertThat(stats.hits() + stats.misses()).isEqualTo(1600);
      assertThat(stats.peakDeviceBytes()).isEqualTo(80L * STATE);
    }
    assertThat(directory.resolve("states").toFile().list()).containsExactly("lock");
  }

  @Test
  void writesNothingThatFits() throws IOException {
    try (History history = history(80, 800)) {
      history.protect(Region.of("field", field));
      history.expect(80, STATE);
      for (long step = 0; step < 80; step++) {
        store(history, step);
      }
      assertThat(history.where(0)).containsExactly(Level.DEVICE);
      for (long step = 79; step >= 0; step--) {
        restore(history, step, true);
      }
      assertThat(history.stats().bytesDown()).isZero();
      assertThat(history.stats().hits()).isEqualTo(80);
    }
  }

  @Test
  void allocatesNothingWhereAllStatesFit() throws IOException {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (History history = history(80, 0)) {
      history.protect(Region.of("field", field));
      long allocated = 0;
      for (int pass = 0; pass < 20; pass++) {
        long before = thread.getCurrentThreadAllocatedBytes();
        history.expect(80, STATE);
        for (long step = 0; step < 80; step++) {
          history.store(step);
        }
        for (long step = 79; step >= 0; step--) {
          history.restore(step, true);
        }
        allocated = thread.getCurrentThreadAllocatedBytes() - before;
      }
      assertThat(allocated / 160).as("bytes per call").isLessThan(8);
    }
  }

  @Test
  void keepsTheStateThatIsReadSoonest() throws IOException {
    try (History history = history(3, 10)) {
      history.protect(Region.of("field", field));
      history.hint(ReadOrder.of(0, 3, 0, 2, 1));
      for (long step = 0; step < 4; step++) {
        store(history, step);
      }
      assertThat(history.where(0)).contains(Level.DEVICE);
      assertThat(history.where(1)).containsExactly(Level.NODE);
      restore(history, 0, false);
      restore(history, 3, true);
      restore(history, 0, true);
      restore(history, 2, true);
      restore(history, 1, true);
    }
  }

  @Test
  void refusesAStateWithoutRoomAndKeepsTheOthers() throws IOException {
    try (History history = history(3, 2)) {
      history.protect(Region.of("field", field));
      for (long step = 0; step < 5; step++) {
        store(history, step);
      }
      assertThatThrownBy(() -> store(history, 5))
          .isInstanceOf(HistoryException.class)
          .hasMessageContaining("no room for step 5: it needs 2 chunks of 4096 bytes")
          .hasMessageContaining("give the history more");
      for (long step = 4; step >= 0; step--) {
        restore(history, step, false);
      }
      history.discard(0);
      store(history, 5);
      restore(history, 5, true);
    }
  }

  @Test
  void aDamagedFileIsNeverRestored() throws IOException {
    try (History history = history(2, 10)) {
      history.protect(Region.of("field", field));
      for (long step = 0; step < 6; step++) {
        store(history, step);
      }
      assertThat(history.where(0)).containsExactly(Level.NODE);
      try (RandomAccessFile file =
          new RandomAccessFile(directory.resolve("states/states-00000").toFile(), "rw")) {
        file.seek(100);
        file.write(77);
      }
      assertThatThrownBy(() -> restore(history, 0, true))
          .isInstanceOf(HistoryException.class)
          .hasMessageContaining("step 0 was not restored: chunk 0 of step 0");
      assertThat(history.where(0)).isNotEmpty();
      restore(history, 1, true);
    }
  }

  @Test
  void anInterruptedReadLeavesTheFileToOthers() throws IOException {
    try (History history = history(2, 10)) {
      history.protect(Region.of("field", field));
      for (long step = 0; step < 6; step++) {
        store(history, step);
      }
      assertThat(history.where(0)).containsExactly(Level.NODE);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> history.restore(0, false)).isInstanceOf(HistoryException.class);
      assertThat(Thread.interrupted()).isTrue();

      restore(history, 0, true);
    }
  }

  @Test
  void aFileThatFailsLosesNothing() throws IOException {
    Path file = directory.resolve("states/states-00000");
    Files.createDirectories(file);
    try (History history = history(2, 10)) {
      history.protect(Region.of("field", field));
      store(history, 0);
      store(history, 1);
      assertThatThrownBy(() -> store(history, 2))
          .isInstanceOf(HistoryException.class)
          .hasMessageContaining("no room for step 2")
          .hasRootCauseInstanceOf(IOException.class);
      restore(history, 1, false);
      Files.delete(file);
      store(history, 2);
      restore(history, 0, true);
      restore(history, 1, true);
      restore(history, 2, true);
    }
  }

  @Test
  void aDeviceThatFailsLosesOneStoreAlone() throws IOException {
    try (DelayedDevice delayed = new DelayedDevice(1 << 20, 3);
        History history =
            History.open(
                delayed, new HistorySettings(4 * STATE, CHUNK, directory.resolve("states"), 0))) {
      history.protect(Region.of("field", field));
      store(history, 0);
      delayed.failNextCopy(new IOException("a fault"));
      assertThatThrownBy(() -> store(history, 1))
          .isInstanceOf(HistoryException.class)
          .hasMessageContaining("step 1 was not stored: ")
          .hasMessageContaining("a fault");
      for (long step = 1; step < 4; step++) {
        store(history, step);
      }
      restore(history, 0, true);
      restore(history, 3, true);
    }
  }

  @Test
  void twoHistoriesNeverShareADirectory() throws IOException {
    try (History history = history(2, 2)) {
      assertThat(history.steps()).isEmpty();
      assertThatThrownBy(() -> history(2, 2))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("belongs to another history");
    }
    history(2, 2).close();
  }

  @Test
  void refusesWhatItCannotKeep() throws IOException {
    try (History history = history(2, 2)) {
      Region region = Region.of("field", field);
      history.protect(region);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> history.protect(region))
          .withMessage("region field is protected already");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> history.store(-1))
          .withMessage("step -1; allowed are 0 to 1000000000");
      history.protect(Region.of("more", new byte[3 * STATE]));
      assertThatThrownBy(() -> history.store(0))
          .isInstanceOf(HistoryException.class)
          .hasMessageContaining("step 0 needs 8 chunks");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HistorySettings(1 << 20, 5000, directory, 0))
        .withMessage("chunks of 5000 bytes; allowed are powers of two from 4096 to 1048576");
  }
}
