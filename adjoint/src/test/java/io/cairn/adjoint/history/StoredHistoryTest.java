package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Level;
import io.cairn.Region;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.Until;
import io.cairn.engine.runtime.GatedStore;
import io.cairn.flush.format.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** States in a store, below files that have no room for them. */
@Timeout(60)
class StoredHistoryTest {
  private static final int CHUNK = 4096;
  private static final int STATE = 3 * CHUNK;

  @TempDir Path directory;
  private final DeviceMemory device = new DelayedDevice(1 << 20, 5);
  private final MemoryStore objects = new MemoryStore("m");
  private final GatedStore store = new GatedStore(objects);
  private final byte[] field = new byte[STATE];
  private Duration patience = Duration.ZERO;

  @AfterEach
  void closeDevice() {
    device.close();
  }

  /** Room for 8 states on the device and 4 in files. */
  private History open(boolean resumes, String files, int storedStates) throws IOException {
    HistoryPlaces places =
        HistoryPlaces.on(device).withStore(store, patience, (long) storedStates * STATE);
    HistorySettings settings =
        new HistorySettings(8 * STATE, CHUNK, directory.resolve(files), 4 * STATE);
    History history = resumes ? History.resume(places, settings) : History.open(places, settings);
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
    assertThat(field).as("step %d", step).containsOnly((byte) (step + 1));
  }

  private void runForward(History history, int steps) {
    history.expect(steps, STATE);
    for (long step = 0; step < steps; step++) {
      store(history, step);
    }
  }

  @Test
  void takesWhatNoOtherPlaceHasRoomFor() throws IOException {
    try (History history = open(false, "states", 100)) {
      runForward(history, 60);
      assertThat(objects.files).isNotEmpty();
      HistoryStats.Place stored = history.stats().below().get(1);
      assertThat(stored.level()).isEqualTo(Level.STORE);
      assertThat(stored.bytesDown()).isEqualTo(48L * STATE);
      for (long step = 59; step >= 0; step--) {
        requireStep(history, step, true);
      }
      assertThat(history.stats().below().get(1).bytes()).isZero();
    }
    assertThat(objects.files).as("objects of a history that is gone").isEmpty();
  }

  @Test
  void severalStatesShareAnObject() throws IOException {
    try (History history = open(false, "states", 100)) {
      history.expect(0, STATE);
      for (long step = 0; step < 8; step++) {
        store(history, step);
      }
      history.expect(60, STATE); // all on the device are to go at once
      for (long step = 8; step < 60; step++) {
        store(history, step);
      }
      assertThat(objects.files.size()).isLessThan(48);
    }
  }

  @Test
  void anObjectGoesWithItsLastState() throws IOException {
    try (History history = open(false, "states", 100)) {
      runForward(history, 60);
      int most = objects.files.size();
      for (long step = 59; step >= 4; step--) {
        requireStep(history, step, true);
      }
      assertThat(objects.files.size()).isLessThan(most / 2);
      for (long step = 3; step >= 0; step--) {
        requireStep(history, step, false);
      }
    }
  }

  @Test
  void anObjectStaysWhileAStateOfItIsNeeded() throws Exception {
    HistoryPlaces places = HistoryPlaces.on(device).withStore(store, patience, 100L * STATE);
    try (History history =
        History.open(
            places, new HistorySettings(8 * STATE, CHUNK, directory.resolve("states"), 0))) {
      history.protect(Region.of("field", field));
      CountDownLatch both = new CountDownLatch(1);
      store.gate(
          (operation, path) -> {
            if (operation.equals("create")) {
              await(both);
            }
          });
      history.expect(100, STATE); // so all go down at once
      store(history, 0);
      store(history, 1);
      both.countDown();
      Until.holds(() -> history.where(1).contains(Level.STORE));
      assertThat(objects.files).as("both states are in one object").hasSize(1);
      history.discard(0);
      for (long step = 2; step < 4; step++) {
        long next = step;
        store(history, next); // the thread that moves it removes first what nobody needs
        Until.holds(() -> history.where(next).contains(Level.STORE));
      }
      assertThat(objects.files).containsKey("states-0000000000");
      requireStep(history, 1, true);
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(50, TimeUnit.SECONDS)) {
        throw new IOException("not within 50 seconds");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void aNodeThatIsLostLeavesWhatTheStoreHas() throws IOException {
    long[] steps;
    try (History history = open(true, "states", 100)) {
      runForward(history, 60);
    }
    try (History history = open(true, "states-of-another-node", 100)) {
      steps = history.steps();
      assertThat(steps).hasSize(48);
      for (int i = steps.length - 1; i >= 0; i--) {
        assertThat(history.where(steps[i])).contains(Level.STORE);
        requireStep(history, steps[i], true);
      }
      history.delete();
    }
    assertThat(objects.files).isEmpty();
  }

  @Test
  void aStepThatIsInFilesTooIsReadThere() throws IOException {
    long step;
    try (History history = open(true, "states", 100)) {
      runForward(history, 60);
    }
    try (History history = open(true, "other", 100)) {
      step = history.steps()[0];
      requireStep(history, step, true);
      store(history, step);
      history.secure(step); // in the files of the other node
      Until.holds(() -> history.where(step).contains(Level.NODE));
    }
    try (History history = open(true, "other", 100)) {
      assertThat(history.where(step)).containsExactly(Level.NODE);
      requireStep(history, step, true);
    }
  }

  @Test
  void consumedStepsStayUntilTheirMarkIsPassed() throws IOException {
    try (History history = open(true, "states", 100)) {
      runForward(history, 60);
      long mark = history.mark();
      for (long step = 59; step >= 0; step--) {
        requireStep(history, step, true);
      }
      int held = objects.files.size();
      assertThat(held).isPositive();
      history.passed(mark);
      history.mark();
      assertThat(objects.files).hasSize(held);
    }
    try (History history = open(true, "states-of-another-node", 100)) {
      assertThat(history.steps()).as("states of before the mark").hasSizeGreaterThan(40);
    }
  }

  @Test
  void theNewestStateOfAStepCounts() throws IOException {
    HistoryPlaces places = HistoryPlaces.on(device).withStore(store, patience, 100L * STATE);
    HistorySettings settings =
        new HistorySettings(8 * STATE, CHUNK, directory.resolve("states"), 0);
    try (History history = History.resume(places, settings)) {
      history.protect(Region.of("field", field));
      for (byte content : new byte[] {1, 2, 3}) {
        Arrays.fill(field, content);
        history.store(7);
        history.secure(7);
        Until.holds(() -> history.where(7).contains(Level.STORE));
      }
    }
    assertThat(objects.files).as("states of before the next mark").hasSize(3);
    try (History history = History.resume(places, settings)) {
      history.protect(Region.of("field", field));
      history.restore(7, true);
      assertThat(field).containsOnly((byte) 3);
    }
  }

  @Test
  void clearLeavesNothingOfAnEarlierRun() throws IOException {
    try (History history = open(true, "states", 100)) {
      runForward(history, 60);
    }
    try (History history = open(true, "states", 100)) {
      assertThat(history.steps()).isNotEmpty();
      history.clear();
      assertThat(history.steps()).isEmpty();
      store(history, 70);
    }
    assertThat(objects.files).isEmpty();
    try (History history = open(true, "states", 100)) {
      assertThat(history.steps()).isEmpty();
    }
  }

  private void failWhile(Predicate<String> fails) {
    store.gate(
        (operation, path) -> {
          if (fails.test(operation)) {
            throw new IOException("planted: " + operation + " " + path);
          }
        });
  }

  @Test
  void aBatchThatFailsStaysAboveAndIsWrittenAgain() throws IOException {
    for (String failing : new String[] {"create", "write", "sync"}) {
      int[] left = {3};
      patience = Duration.ofSeconds(50);
      failWhile(operation -> operation.equals(failing) && left[0]-- > 0);
      try (History history = open(false, "states", 100)) {
        runForward(history, 60);
        for (long step = 59; step >= 0; step--) {
          requireStep(history, step, true);
        }
      }
      assertThat(left[0]).as(failing).isNegative();
      assertThat(objects.files).as(failing).isEmpty();
    }
  }

  /** The heap was full for a moment. */
  @Test
  void aMoveThatEndsInAnErrorIsMadeAgain() throws IOException {
    for (String failing : new String[] {"write", "open"}) {
      AtomicBoolean fails = new AtomicBoolean(true);
      patience = Duration.ofSeconds(50);
      store.gate(
          (operation, path) -> {
            boolean moves = Thread.currentThread().getName().startsWith("cairn-history-");
            if (moves && operation.equals(failing) && fails.getAndSet(false)) {
              throw new OutOfMemoryError("planted: " + operation);
            }
          });
      try (History history = open(false, "states", 100)) {
        runForward(history, 60);
        for (long step = 59; step >= 0; step--) {
          requireStep(history, step, true);
        }
      }
    }
  }

  @Test
  void aStoreThatIsAwayEndsTheProgramOnlyWithoutOtherRoom() throws IOException {
    failWhile(operation -> operation.equals("create"));
    try (History history = open(false, "states", 100)) {
      for (long step = 0; step < 12; step++) {
        store(history, step);
      }
      assertThatThrownBy(() -> store(history, 12))
          .isInstanceOf(HistoryException.class)
          .hasMessageContaining("no room for step 12")
          .rootCause()
          .hasMessageStartingWith("planted: create states-");
      for (long step = 11; step >= 0; step--) {
        requireStep(history, step, true);
      }
    }
  }

  @Test
  void damagedObjectsCostTheirStatesAlone() throws IOException {
    for (int seed = 0; seed < 30; seed++) {
      objects.files.clear();
      try (History history = open(true, "states-" + seed, 100)) {
        runForward(history, 40);
      }
      SplittableRandom random = new SplittableRandom(seed);
      objects.files.replaceAll((name, bytes) -> damaged(bytes, random));
      try (History history = open(true, "elsewhere-" + seed, 100)) {
        for (long step : history.steps()) {
          Arrays.fill(field, (byte) 0);
          try {
            history.restore(step, true);
          } catch (HistoryException e) {
            continue; // its own chunks are damaged
          }
          assertThat(field).as("seed %d, step %d", seed, step).containsOnly((byte) (step + 1));
        }
        history.delete();
      }
    }
  }

  private static byte[] damaged(byte[] bytes, SplittableRandom random) {
    if (random.nextInt(3) == 0) {
      return Arrays.copyOf(bytes, random.nextInt(bytes.length));
    }
    byte[] flipped = bytes.clone();
    int from = random.nextBoolean() ? 0 : bytes.length - Math.min(bytes.length, 200);
    flipped[random.nextInt(from, bytes.length)] ^= (byte) (1 << random.nextInt(8));
    return flipped;
  }

  @Test
  void aSmallerRoomTakesOverWhatItHasRoomFor() throws IOException {
    try (History history = open(true, "states", 100)) {
      runForward(history, 60);
    }
    try (History history = open(true, "elsewhere", 10)) {
      assertThat(history.steps()).hasSize(10);
      for (long step : history.steps()) {
        requireStep(history, step, true);
      }
    }
  }
}
