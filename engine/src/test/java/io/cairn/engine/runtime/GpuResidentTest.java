package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.cache.memory.cuda.Application;
import io.cairn.cache.memory.cuda.FakeCuda;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A training whose weights lie on a GPU, over a driver without one. */
@Timeout(60)
class GpuResidentTest {
  private static final int BYTES = 100_000;

  @TempDir Path root;
  private Application application;
  private long weights;
  private long stream;

  @BeforeEach
  void allocate() throws IOException {
    FakeCuda.library();
    application = Application.open();
    weights = application.allocate(BYTES);
    stream = application.stream();
  }

  @AfterEach
  void close() throws IOException {
    application.close();
  }

  private CairnEngine open() throws IOException {
    return new Places(root)
        .open("device.kind", "cuda", "cairn.device.cudaLibrary", FakeCuda.library());
  }

  private Checkpointer join(CairnEngine cairn, long[] iteration) {
    Checkpointer checkpointer = cairn.join("run");
    checkpointer.protect(application.region(weights, BYTES, new ReadyAfter.Stream(stream)));
    checkpointer.protect(Region.of("iteration", iteration));
    return checkpointer;
  }

  private CheckpointTicket train(Checkpointer checkpointer, long[] iteration, int from, int to)
      throws IOException {
    CheckpointTicket last = null;
    for (int i = from; i < to; i++) {
      iteration[0] = i;
      application.fill(weights, i, BYTES, stream);
      last = checkpointer.checkpoint(i);
      last.captured().join();
    }
    assertThat(last).isNotNull();
    return last;
  }

  /** The GPU verifies and restores its own memory: only checksums and host memory cross. */
  @Test
  void aRollbackStaysOnTheGpu() throws Exception {
    long[] iteration = new long[1];
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = join(cairn, iteration)) {
      train(checkpointer, iteration, 1, 5).sealed(Level.NODE).get();
      long crossed = FakeCuda.crossedBytes();

      RestoreReport back = checkpointer.restoreBefore(6).orElseThrow();

      assertThat(FakeCuda.crossedBytes() - crossed).isLessThan(BYTES / 10);
      assertThat(back.level()).isEqualTo(Level.DEVICE);
      assertThat(iteration).containsExactly(back.id().iteration());
      assertThat(application.read(weights, BYTES)).containsOnly((int) iteration[0]);
    }
  }

  @Test
  void aNewProcessRestoresTheGpuFromBelow() throws Exception {
    long[] iteration = new long[1];
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = join(cairn, iteration)) {
      assertThat(train(checkpointer, iteration, 1, 5).sealed(Level.STORE).get())
          .isEqualTo(new Outcome.Sealed(Level.STORE));
    }
    application.fill(weights, 99, BYTES, stream);
    iteration[0] = 99;
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = join(cairn, iteration)) {
      RestoreReport report = checkpointer.restore().orElseThrow();

      assertThat(report.level()).isEqualTo(Level.NODE);
      assertThat(iteration).containsExactly(4);
      assertThat(application.read(weights, BYTES)).containsOnly(4);
    }
  }
}
