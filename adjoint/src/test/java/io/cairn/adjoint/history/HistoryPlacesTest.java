package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Level;
import io.cairn.Region;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.Until;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Host memory between the device and the files. */
@Timeout(60)
class HistoryPlacesTest {
  private static final int STATE = 8192;
  private static final int CHUNK = 4096;

  @TempDir Path directory;
  private final byte[] field = new byte[STATE];
  private final DelayedDevice device = new DelayedDevice(1 << 20, 1);
  private final DelayedDevice host = new DelayedDevice(1 << 20, 2);
  private HistorySettings settings = new HistorySettings(CHUNK, CHUNK, Path.of("states"), 0);

  @BeforeEach
  void settings() {
    settings = new HistorySettings(4 * STATE, CHUNK, directory.resolve("states"), 100 * STATE);
  }

  @AfterEach
  void close() {
    host.close();
    device.close();
  }

  private HistoryPlaces places(int hostStates) {
    return HistoryPlaces.on(device).withHost(host, (long) hostStates * STATE);
  }

  private History open(int hostStates) throws IOException {
    History history = History.open(places(hostStates), settings);
    history.protect(Region.of("field", field));
    return history;
  }

  private void store(History history, long step) {
    Arrays.fill(field, (byte) (step + 1));
    history.store(step);
  }

  private void restore(History history, long step) {
    Arrays.fill(field, (byte) 0);
    assertThat(history.restore(step, true)).isEqualTo(STATE);
    for (byte value : field) {
      assertThat(value).as("step %d", step).isEqualTo((byte) (step + 1));
    }
  }

  private void pass(History history, int steps) {
    history.expect(steps, STATE);
    for (long step = 0; step < steps; step++) {
      store(history, step);
    }
    for (long step = steps - 1L; step >= 0; step--) {
      restore(history, step);
    }
  }

  @Test
  void filesGetNoByteThatTheHostKeeps() throws IOException {
    try (History history = open(6)) {
      pass(history, 10);
      assertThat(history.stats().below().get(0).bytesDown()).isEqualTo(6L * STATE);
      assertThat(history.stats().below().get(1).bytesDown()).isZero();
    }
  }

  @Test
  void filesGetExactlyTheRest() throws IOException {
    try (History history = open(6)) {
      pass(history, 25);
      HistoryStats stats = history.stats();
      assertThat(stats.below())
          .extracting(HistoryStats.Place::name)
          .containsExactly("host memory", "files");
      assertThat(stats.below())
          .extracting(HistoryStats.Place::level)
          .containsExactly(Level.DEVICE, Level.NODE);
      assertThat(stats.below())
          .extracting(HistoryStats.Place::bytesDown)
          .containsExactly(6L * STATE, 15L * STATE);
      assertThat(stats.below()).extracting(HistoryStats.Place::bytes).containsExactly(0L, 0L);
      assertThat(stats.bytesDown()).isEqualTo(21L * STATE);
      assertThat(stats.peakFileBytes()).isEqualTo(15L * STATE);
    }
  }

  @Test
  void aSecuredStateOfTheHostComesToTheFiles() throws IOException {
    try (History history = History.resume(places(20), settings)) {
      history.protect(Region.of("field", field));
      history.expect(12, STATE);
      for (long step = 0; step < 12; step++) {
        store(history, step);
      }
      for (long step = 0; step < 12; step++) {
        history.secure(step);
      }
      Until.holds(() -> history.durableBelow() == 12);
      assertThat(history.stats().below().get(0).bytes()).isZero();
      restore(history, 3);
    }
    try (History history = History.resume(places(20), settings)) {
      history.protect(Region.of("field", field));
      assertThat(history.steps()).contains(0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11);
      for (long step = 11; step >= 4; step--) {
        restore(history, step);
      }
      history.delete();
    }
  }

  @Test
  void aStateOnItsWayToTheHostIsSecured() throws IOException {
    try (History history = History.resume(places(60), settings)) {
      history.protect(Region.of("field", field));
      history.expect(100, STATE);
      for (long step = 0; step < 50; step++) {
        store(history, step);
        history.secure(step);
      }
      Until.holds(() -> history.durableBelow() == 50);
      history.delete();
    }
  }

  @Test
  void theFilesServeForAHostThatFails() throws IOException {
    try (History history = open(6)) {
      host.failNextCopy(new IOException("a fault"));
      pass(history, 12);
      HistoryStats stats = history.stats();
      assertThat(stats.bytesDown()).isGreaterThanOrEqualTo(8L * STATE);
      assertThat(stats.below().get(1).bytesDown()).isPositive();
      assertThat(stats.below().get(0).bytes()).isZero();
    }
  }

  @Test
  void refusesAStateThatFindsRoomNowhere() throws IOException {
    settings = new HistorySettings(4 * STATE, CHUNK, directory.resolve("states"), 2 * STATE);
    try (History history = open(3)) {
      for (long step = 0; step < 9; step++) {
        store(history, step);
      }
      assertThatThrownBy(() -> store(history, 9))
          .isInstanceOf(HistoryException.class)
          .hasMessageContaining("no room for step 9")
          .hasMessageContaining("0 of 8 on the device, and 0 of 6 in host memory, 0 of 4 in files");
      for (long step = 8; step >= 0; step--) {
        restore(history, step);
      }
    }
  }

  @Test
  void refusesAHostWithoutRoom() {
    assertThatThrownBy(() -> open(1000))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(host.describe());
    assertThatThrownBy(() -> places(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-8192 bytes of host memory");
    assertThat(places(2))
        .hasToString("%s, then 16384 bytes of %s".formatted(device.describe(), host.describe()));
  }
}
