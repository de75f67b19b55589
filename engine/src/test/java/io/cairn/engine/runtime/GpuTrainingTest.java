package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Outcome.Captured;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.cache.memory.cuda.Application;
import io.cairn.cache.memory.cuda.FakeCuda;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.store.CountingStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A training whose device cache lies in the memory of a GPU, over a driver without one. */
@Timeout(60)
class GpuTrainingTest {
  @TempDir Path root;

  @ParameterizedTest
  @ValueSource(strings = {"cuda", "cuda:0", "auto"})
  void resumesFromTheGpuAndFromBelow(String kind) throws Exception {
    Places places = new Places(root);
    String[] gpu = {
      "device.kind", kind, "cairn.device.cudaLibrary", FakeCuda.library(), "node.maxLayers", "2"
    };
    try (CairnEngine cairn = places.open(gpu);
        Checkpointer checkpointer = cairn.join("run")) {
      assertThat(FakeCuda.isUsed()).isTrue();
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(toy.run(checkpointer, 0, 5).sealed(Level.STORE).get())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
      toy.run(checkpointer, 5, 8).captured().join();
      RestoreReport back = checkpointer.restoreBefore(6).orElseThrow();
      assertThat(back.level()).isEqualTo(Level.DEVICE);
      assertThat(toy).isEqualTo(Toy.undisturbed(6));
      toy.run(checkpointer, 6, 9);
    }
    try (CairnEngine cairn = places.open(gpu);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();
      assertThat(report.level()).isEqualTo(Level.NODE);
      assertThat(report.id().iteration()).isEqualTo(8);
      toy.run(checkpointer, 9, 12);
      assertThat(toy).isEqualTo(Toy.undisturbed(12));
    }
  }

  private long bytesReadOfStore(String kind) throws Exception {
    Places places = new Places(Files.createDirectory(root.resolve(kind)));
    String[] settings = {"device.kind", kind, "cairn.device.cudaLibrary", FakeCuda.library()};
    try (CairnEngine cairn = places.open(settings);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 5).sealed(Level.STORE).get();
    }
    Files.move(places.node(), root.resolve("lost-" + kind));
    CairnConfig config = places.config(settings);
    try (CountingStore store =
            new CountingStore(LocalStore.open(places.store(), Durability.MEDIA));
        CairnEngine cairn = CairnEngine.open(config, store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore().orElseThrow().level()).isEqualTo(Level.STORE);
      assertThat(toy).isEqualTo(Toy.undisturbed(5));
      return store.containerBytesRead();
    }
  }

  /** The training's stream waits for the copies where the training waits, and no thread does. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCaptureBesideThePassHoldsNoThread(boolean awaited) throws Exception {
    Places places = new Places(root);
    int bytes = 3 * 4096 + 17;
    byte[] expected = new byte[bytes];
    Arrays.fill(expected, (byte) 1);
    try (Application application = Application.open();
        CairnEngine cairn =
            places.open("device.kind", "cuda", "cairn.device.cudaLibrary", FakeCuda.library());
        Checkpointer checkpointer = cairn.join("run")) {
      long weights = application.allocate(bytes);
      long stream = application.stream();
      checkpointer.protect(application.region(weights, bytes, new ReadyAfter.Stream(stream)));
      checkpointer.protect(Region.of("step", new long[] {7}));
      checkpointer.startAfresh();
      application.fill(weights, 1, bytes, stream);
      FakeCuda.hold(true);
      CheckpointTicket ticket;
      try {
        long before = FakeCuda.pending();
        ticket = checkpointer.checkpointBeside(2);
        assertThat(FakeCuda.pending()).as("copies before the next pass").isGreaterThan(before);
        if (awaited) {
          checkpointer.awaitCaptured();
          assertThat(ticket.captured()).isCompletedWithValueMatching(Captured.class::isInstance);
          application.fill(weights, 2, bytes, stream);
        }
      } finally {
        FakeCuda.hold(false);
      }
      if (!awaited) {
        checkpointer.checkpoint(3).captured().get();
        assertThat(ticket.captured().get().toString()).contains("awaitCaptured()");
        return;
      }
      assertThat(ticket.sealed(Level.NODE).get()).isEqualTo(new Outcome.Sealed(Level.NODE));
      byte[] found = new byte[bytes];
      checkpointer.load(ticket.id(), Region.of("weights", found));
      assertThat(found).isEqualTo(expected);
      assertThat(application.read(weights, bytes)).containsOnly(2);
    }
  }

  /** Verified chunks wait in the GPU's slots for the votes of the group. */
  @Test
  void aRestoreReadsEachChunkOnceAsWithSharedMemory() throws Exception {
    long bytes = 5000 * Float.BYTES + Long.BYTES;

    assertThat(bytesReadOfStore("cuda"))
        .isBetween(bytes, 2 * bytes - 1)
        .isEqualTo(bytesReadOfStore("shm"));
  }

  @Test
  void withoutADriverAutoIsSharedMemory() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn =
            places.open("device.kind", "auto", "cairn.device.cudaLibrary", "/absent/libcuda.so.1");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);

      assertThat(FakeCuda.isUsed()).isFalse();
      assertThat(toy.run(checkpointer, 0, 2).captured().join())
          .isInstanceOf(Outcome.Captured.class);
    }
  }

  @Test
  void aGpuThatAutoCannotUseIsReplaced() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn =
            places.open("device.kind", "auto:9", "cairn.device.cudaLibrary", FakeCuda.library());
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);

      assertThat(FakeCuda.isUsed()).isFalse();
      assertThat(toy.run(checkpointer, 0, 2).captured().join())
          .isInstanceOf(Outcome.Captured.class);
    }
  }

  @Test
  void withoutADriverAGpuIsRefused() {
    Places places = new Places(root);

    assertThatThrownBy(
            () ->
                places.open(
                    "device.kind", "cuda", "cairn.device.cudaLibrary", "/absent/libcuda.so.1"))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("device.kind", "/absent/libcuda.so.1");
  }

  @Test
  void aGpuThatIsAbsentIsRefusedByItsNumber() {
    Places places = new Places(root);

    assertThatThrownBy(
            () ->
                places.open(
                    "device.kind", "cuda:9", "cairn.device.cudaLibrary", FakeCuda.library()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("GPU 9");
  }

  /** A peer of the training has died, and its work on the GPU waits for that one for good. */
  @Test
  void aRankWhoseWorkHangsIsClosedInTime() throws Exception {
    Places places = new Places(root);
    int bytes = 3 * 4096;
    try (Application application = Application.open()) {
      long weights = application.allocate(bytes);
      long stream = application.stream();
      try (CairnEngine cairn =
          places.open(
              "device.kind",
              "cuda",
              "cairn.device.cudaLibrary",
              FakeCuda.library(),
              "closeTimeout",
              "1s")) {
        Checkpointer checkpointer = cairn.join("run");
        FakeCuda.hangNextWork(true);
        application.fill(weights, 1, bytes, stream);
        checkpointer.protect(
            application.region(weights, bytes, new ReadyAfter.Event(application.record(stream))));
        checkpointer.startAfresh();
        CheckpointTicket ticket = checkpointer.checkpointBeside(1);

        checkpointer.close();

        assertThat(ticket.captured()).isNotDone();
        FakeCuda.hangNextWork(false); // a device is patient with a GPU before it leaves it
      } finally {
        FakeCuda.hangNextWork(false);
      }
    }
  }
}
