package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Level;
import io.cairn.Region;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Histories that lend each other memory of their devices. */
@Timeout(60)
class HistoryPeersTest {
  private static final int STATE = 8192;
  private static final int CHUNK = 4096;

  @TempDir Path directory;
  private final byte[] field = new byte[STATE];
  private final byte[] large = new byte[8 * STATE];
  private final HistoryPeers peers = new HistoryPeers(Topology.uniform(2, 24e9, 1));
  private DeviceMemory device = new DelayedDevice(1, 0);

  @BeforeEach
  void openDevice() throws IOException {
    device = SharedMemoryDevice.open(directory, directory, 2 << 20);
  }

  @AfterEach
  void closeDevice() {
    device.close();
  }

  private History open(int number, int deviceStates, int fileStates) throws IOException {
    return open(peers, number, deviceStates, fileStates);
  }

  private History open(HistoryPeers among, int number, int deviceStates, int fileStates)
      throws IOException {
    History history =
        History.open(
            HistoryPlaces.on(device).withPeers(among, number),
            new HistorySettings(
                (long) deviceStates * STATE,
                CHUNK,
                directory.resolve("states-" + number),
                (long) fileStates * STATE));
    history.protect(Region.of("field", field));
    return history;
  }

  private void store(History history, int steps) {
    for (long step = 0; step < steps; step++) {
      Arrays.fill(field, (byte) (step + 1));
      history.store(step);
    }
  }

  private void restore(History history, int steps) {
    for (long step = steps - 1L; step >= 0; step--) {
      Arrays.fill(field, (byte) 0);
      history.restore(step, true);
      for (byte value : field) {
        assertThat(value).as("step %d", step).isEqualTo((byte) (step + 1));
      }
    }
  }

  private static long down(History history, String place) {
    return history.stats().below().stream()
        .filter(below -> below.name().equals(place))
        .mapToLong(HistoryStats.Place::bytesDown)
        .sum();
  }

  @Test
  void thePeerKeepsWhatItHasRoomForAndFilesTheRest() throws IOException {
    try (History borrower = open(0, 4, 100);
        History lender = open(1, 10, 100)) {
      lender.expect(4, STATE);
      borrower.expect(14, STATE);
      store(borrower, 14);
      store(lender, 4);
      assertThat(borrower.where(0)).containsAnyOf(Level.DEVICE, Level.NODE);
      restore(borrower, 14);
      restore(lender, 4);
      assertThat(down(borrower, "peers' memory")).isEqualTo(6L * STATE);
      assertThat(down(borrower, "files")).isEqualTo(4L * STATE);
      assertThat(lender.stats().bytesDown()).isZero();
    }
  }

  @Test
  void aSlowerPlaceWorksAtTheSameTime() throws IOException {
    HistoryPeers faster = new HistoryPeers(Topology.uniform(2, 24e9, 12e9));
    try (History borrower = open(faster, 0, 4, 100);
        History lender = open(faster, 1, 30, 100)) {
      lender.expect(4, STATE);
      borrower.expect(16, STATE);
      store(borrower, 16);
      restore(borrower, 16);
      assertThat(down(borrower, "peers' memory")).isEqualTo(8L * STATE);
      assertThat(down(borrower, "files")).isEqualTo(4L * STATE);
    }
  }

  @Test
  void aPeerKeepsWhatTheSlowerPlaceHasNoRoomFor() throws IOException {
    HistoryPeers faster = new HistoryPeers(Topology.uniform(2, 24e9, 12e9));
    try (History borrower = open(faster, 0, 4, 1);
        History lender = open(faster, 1, 30, 100)) {
      lender.expect(4, STATE);
      borrower.expect(16, STATE);
      store(borrower, 16);
      restore(borrower, 16);
      assertThat(down(borrower, "peers' memory")).isEqualTo(11L * STATE);
    }
  }

  @Test
  void eachExpectationMakesANewPlan() throws IOException {
    try (History one = open(0, 8, 100);
        History other = open(1, 8, 100)) {
      one.expect(12, STATE);
      other.expect(4, STATE);
      store(one, 12);
      restore(one, 12);
      store(other, 4);
      restore(other, 4);
      one.expect(4, STATE);
      other.expect(12, STATE);
      store(other, 12);
      store(one, 4);
      restore(other, 12);
      restore(one, 4);
      assertThat(down(one, "peers' memory")).isEqualTo(4L * STATE);
      assertThat(down(other, "peers' memory")).isEqualTo(4L * STATE);
      assertThat(down(one, "files") + down(other, "files")).isZero();
    }
  }

  @Test
  void aLenderThatNeedsItsMemoryGetsItBack() throws IOException {
    try (History borrower = open(0, 4, 100);
        History lender = open(1, 10, 100)) {
      lender.expect(1, STATE);
      borrower.expect(13, STATE);
      store(borrower, 13);
      RegionSet more = lender.regions();
      more.protect(Region.of("large", large));
      Arrays.fill(large, (byte) 7);
      lender.store(0, more);
      Arrays.fill(large, (byte) 0);
      lender.restore(0, more, true);
      assertThat(large).containsOnly((byte) 7);
      restore(borrower, 13);
      assertThat(down(borrower, "peers' memory")).isEqualTo(9L * STATE);
      assertThat(down(borrower, "files")).isEqualTo(9L * STATE);
    }
  }

  @Test
  void aLenderWhoseMemoryCannotComeBackIsToldSo() throws IOException {
    try (History borrower = open(0, 4, 2);
        History lender = open(1, 10, 100)) {
      lender.expect(1, STATE);
      borrower.expect(13, STATE);
      store(borrower, 13);
      RegionSet more = lender.regions();
      more.protect(Region.of("large", large));
      assertThatThrownBy(() -> lender.store(0, more))
          .isInstanceOf(HistoryException.class)
          .hasMessageContaining("no room for step 0");
      restore(borrower, 13);
    }
  }

  @Test
  void aLenderThatWaitsForItsMemoryLendsNothingMore() throws IOException {
    HistoryPeers three = new HistoryPeers(Topology.uniform(3, 24e9, 1));
    try (History borrower = open(three, 0, 4, 2);
        History lender = open(three, 1, 10, 100);
        History next = open(three, 2, 4, 100)) {
      lender.expect(1, STATE);
      next.expect(4, STATE);
      borrower.expect(13, STATE);
      store(borrower, 13);
      RegionSet more = lender.regions();
      more.protect(Region.of("large", large));
      assertThatThrownBy(() -> lender.store(0, more)).isInstanceOf(HistoryException.class);

      lender.expect(0, STATE);
      borrower.expect(0, STATE);
      next.expect(5, STATE);
      store(next, 5);
      restore(next, 5);
      assertThat(down(next, "peers' memory")).isZero();

      restore(borrower, 13);
      borrower.expect(0, STATE);
      lender.expect(0, STATE);
      next.expect(14, STATE);
      store(next, 14);
      restore(next, 14);
      assertThat(down(next, "peers' memory")).isEqualTo(10L * STATE);
    }
  }

  @Test
  void aLenderThatClosesLeavesItsMemoryToTheBorrower() throws IOException {
    try (History borrower = open(0, 4, 0)) {
      try (History lender = open(1, 10, 0)) {
        lender.expect(0, STATE);
        borrower.expect(14, STATE);
        store(borrower, 14);
      }
      try (History other = open(new HistoryPeers(Topology.uniform(2, 1, 1)), 1, 100, 0)) {
        Arrays.fill(field, (byte) 99);
        for (long step = 0; step < 100; step++) {
          other.store(step);
        }
      }
      restore(borrower, 14);
      borrower.expect(14, STATE);
      assertThatThrownBy(() -> store(borrower, 5))
          .isInstanceOf(HistoryException.class)
          .hasMessageContaining("0 of 0 in peers' memory");
    }
    try (History next = open(1, 250, 0)) {
      store(next, 250);
    }
  }

  @Test
  void aBorrowerThatClosesGivesItsMemoryBack() throws IOException {
    try (History lender = open(1, 10, 0)) {
      try (History borrower = open(0, 4, 0)) {
        lender.expect(1, STATE);
        borrower.expect(13, STATE);
        store(borrower, 13);
      }
      store(lender, 10);
      restore(lender, 10);
    }
  }

  @Test
  void refusesADeviceThatItDoesNotHave() throws IOException {
    try (History first = open(0, 4, 0)) {
      assertThat(first.steps()).isEmpty();
      assertThatThrownBy(() -> open(0, 4, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("device 0 of 2");
      assertThatThrownBy(() -> open(2, 4, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("device 2 of 2");
      HistoryPlaces places = HistoryPlaces.on(device).withPeers(peers, 1);
      HistorySettings settings = new HistorySettings(8 * CHUNK, 2 * CHUNK, directory, 0);
      assertThatThrownBy(() -> History.open(places, settings))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("chunks of 8192 bytes; the other histories have 4096");
    }
  }
}
