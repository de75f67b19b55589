package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import io.cairn.DeviceName;
import io.cairn.MirroredMemory;
import io.cairn.Outcome;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.dl4j.cuda.FakeNatives;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** Arrays of ND4J's backend for CUDA as regions, over a driver without a GPU. */
@Timeout(60)
class CudaArraysTest {
  private static final int SLOWEST_MICROS = 20_000;
  private static final int ELEMENTS = 3000;

  @TempDir private Path directory;

  @AfterEach
  void hurry() {
    FakeNatives.hold(false);
    FakeNatives.delay(0, 0);
  }

  private static INDArray array() {
    return Nd4j.createFromArray(1f, 2f, 3f, 4f);
  }

  @Test
  void theBackendIsThatOfCuda() {
    assertThat(Nd4j.getBackend().getEnvironment().isCPU()).isFalse();
    assertThat(array().data().getClass().getSimpleName()).isEqualTo("CudaFloatDataBuffer");
  }

  @Test
  void aRegionNamesTheMemoryOnTheGpuAndBothStreams() {
    INDArray array = array();

    Region.OnDevice region = (Region.OnDevice) NdArrays.region("w", array);

    assertThat(region.device()).isEqualTo(new DeviceName("cuda", 0));
    assertThat(region.address()).isEqualTo(FakeNatives.onDevice(array));
    assertThat(region.bytes()).isEqualTo(4 * Float.BYTES);
    assertThat(region.kind()).isEqualTo("float[4]");
    List<ReadyAfter> streams =
        FakeNatives.handles().stream().<ReadyAfter>map(ReadyAfter.Stream::new).toList();
    assertThat(streams).doesNotHaveDuplicates();
    assertThat(region.after()).isEqualTo(new ReadyAfter.All(streams));
  }

  @Test
  void aViewNamesItsPart() {
    INDArray flat = Nd4j.arange(12).castTo(DataType.FLOAT);
    INDArray view = flat.get(NDArrayIndex.interval(4, 8));

    Region.OnDevice region = (Region.OnDevice) NdArrays.region("w", view);

    assertThat(region.address()).isEqualTo(FakeNatives.onDevice(flat) + 4 * Float.BYTES);
    assertThat(region.bytes()).isEqualTo(4 * Float.BYTES);
  }

  @Test
  void aPartOfAnArrayBeginsLater() {
    INDArray array = array();

    Region.OnDevice region =
        (Region.OnDevice) NdArrays.region("w", array.get(NDArrayIndex.interval(1, 3)));

    assertThat(region.address()).isEqualTo(FakeNatives.onDevice(array) + 4);
    assertThat(region.bytes()).isEqualTo(8);
    MirroredMemory sides = (MirroredMemory) region.owner();
    sides.bringTo(MirroredMemory.Side.HOST);
    assertThat(sides.hostAddress()).isEqualTo(array.data().addressPointer().address() + 4);
  }

  /** A write of the program makes host memory the newer side, an operation the GPU's. */
  @ParameterizedTest
  @ValueSource(strings = {"cuda", "shm"})
  void eachCheckpointHasTheNewerSide(String kind) throws Exception {
    INDArray array = array();
    try (Cairn cairn = CudaTrainings.open(directory, kind);
        Checkpointer checkpointer = cairn.join("arrays")) {
      checkpointer.protect(NdArrays.region("w", array));
      captured(checkpointer, 0);
      array.putScalar(2, 42);
      captured(checkpointer, 1);
      array.addi(1);
      captured(checkpointer, 2);
      array.putScalar(0, -1);
      array.muli(2);
      captured(checkpointer, 3);
      array.assign(0);

      assertThat(array.getFloat(1)).as("the host has read").isZero();
      assertThat(restoredBefore(checkpointer, 4, array)).containsExactly(-2, 6, 86, 10);
      assertThat(restoredBefore(checkpointer, 3, array)).containsExactly(2, 3, 43, 5);
      assertThat(restoredBefore(checkpointer, 2, array)).containsExactly(1, 2, 42, 4);
      assertThat(restoredBefore(checkpointer, 1, array)).containsExactly(1, 2, 3, 4);
      assertThat(array.add(1).toFloatVector()).containsExactly(2, 3, 4, 5);
    }
  }

  private static void captured(Checkpointer checkpointer, long iteration) {
    assertThat(checkpointer.checkpoint(iteration).captured().join())
        .isInstanceOf(Outcome.Captured.class);
  }

  private static float[] restoredBefore(Checkpointer checkpointer, long iteration, INDArray array) {
    assertThat(checkpointer.restoreBefore(iteration).orElseThrow().id().iteration())
        .isEqualTo(iteration - 1);
    return array.toFloatVector();
  }

  @Test
  void onTheGpuCoherenceComesBeforeTheCopyAndTheTagAfterIt() throws Exception {
    INDArray array = array();
    try (Cairn cairn = CudaTrainings.open(directory, "cuda");
        Checkpointer checkpointer = cairn.join("arrays")) {
      checkpointer.protect(NdArrays.region("w", array));
      List<String> unused = FakeNatives.calls();

      captured(checkpointer, 0);
      assertThat(FakeNatives.calls()).containsExactly("toDevice");
      assertThat(checkpointer.restore()).isPresent();
      assertThat(FakeNatives.calls()).containsExactly("toDevice", "writtenOnDevice");
    }
  }

  @Test
  void inHostMemoryTheOtherSideIsTagged() throws Exception {
    INDArray array = array();
    try (Cairn cairn = CudaTrainings.open(directory, "shm");
        Checkpointer checkpointer = cairn.join("arrays")) {
      checkpointer.protect(NdArrays.region("w", array));
      List<String> unused = FakeNatives.calls();

      captured(checkpointer, 0);
      assertThat(FakeNatives.calls()).containsExactly("toHost");
      assertThat(checkpointer.restore()).isPresent();
      assertThat(FakeNatives.calls()).containsExactly("toHost", "writtenOnHost");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aCaptureFollowsTheWorkOfEitherStream(int stream) throws Exception {
    INDArray array = Nd4j.zeros(ELEMENTS);
    long handle = FakeNatives.handles().get(stream);
    try (Cairn cairn = CudaTrainings.open(directory, "cuda");
        Checkpointer checkpointer = cairn.join("arrays")) {
      checkpointer.protect(NdArrays.region("w", array));
      FakeNatives.delay(stream, SLOWEST_MICROS);
      FakeNatives.fillLater(array, 1, handle);
      FakeNatives.fillLater(array, 2, handle);
      var ticket = checkpointer.checkpoint(0);
      FakeNatives.fillLater(array, 3, handle);
      assertThat(ticket.captured().join()).isInstanceOf(Outcome.Captured.class);

      assertThat(array.getFloat(0)).isEqualTo(Float.intBitsToFloat(0x03030303));
      assertThat(checkpointer.restore()).isPresent();
      assertThat(array.toFloatVector()).containsOnly(Float.intBitsToFloat(0x02020202));
    }
  }

  /** Neither the checkpoint nor ND4J's next operation waits for the copy on the host. */
  @Test
  void aCheckpointWaitsForNoWorkOfTheGpu() throws Exception {
    INDArray array = Nd4j.zeros(ELEMENTS);
    long handle = FakeNatives.handles().get(0);
    try (Cairn cairn = CudaTrainings.open(directory, "cuda");
        Checkpointer checkpointer = cairn.join("arrays")) {
      checkpointer.protect(NdArrays.region("w", array));
      captured(checkpointer, 0);
      FakeNatives.hold(true);
      FakeNatives.fillLater(array, 2, handle);
      var ticket = checkpointer.checkpointBeside(1);
      checkpointer.awaitCaptured();
      FakeNatives.fillLater(array, 3, handle);
      assertThat(FakeNatives.pending()).isPositive();
      FakeNatives.hold(false);
      assertThat(ticket.captured().join()).isInstanceOf(Outcome.Captured.class);

      assertThat(array.getFloat(0)).isEqualTo(Float.intBitsToFloat(0x03030303));
      assertThat(checkpointer.restore()).isPresent();
      assertThat(array.toFloatVector()).containsOnly(Float.intBitsToFloat(0x02020202));
    }
  }

  /** The bytes around a view may be newer in host memory. */
  @ParameterizedTest
  @ValueSource(strings = {"cuda", "shm"})
  void aRestoreOfAViewLeavesTheRestOfItsBuffer(String kind) throws Exception {
    INDArray flat = Nd4j.zeros(12);
    INDArray view = flat.get(NDArrayIndex.interval(4, 8));
    try (Cairn cairn = CudaTrainings.open(directory, kind);
        Checkpointer checkpointer = cairn.join("arrays")) {
      checkpointer.protect(NdArrays.region("w", view));
      captured(checkpointer, 0);
      flat.addi(1);
      flat.putScalar(0, 9);
      assertThat(checkpointer.restore()).isPresent();

      assertThat(flat.toFloatVector()).containsExactly(9, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1);
      assertThat(FakeNatives.floatsOnDevice(flat.addi(1)))
          .containsExactly(10, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2);
    }
  }

  @Test
  void gatheredArraysAreBroughtToTheGpu() throws Exception {
    INDArray first = array();
    INDArray second = array();
    try (Cairn cairn = CudaTrainings.open(directory, "cuda");
        Checkpointer checkpointer = cairn.join("arrays")) {
      checkpointer.protect(NdArrays.gather("all", List.of(first, second)));
      second.putScalar(3, 8);
      captured(checkpointer, 0);
      first.assign(0);
      second.assign(0);
      assertThat(checkpointer.restore()).isPresent();

      assertThat(first.toFloatVector()).containsExactly(1, 2, 3, 4);
      assertThat(second.toFloatVector()).containsExactly(1, 2, 3, 8);
    }
  }

  @Test
  void memoryThatMovedIsRefusedUntilItIsRelocated() throws Exception {
    INDArray array = array();
    try (Cairn cairn = CudaTrainings.open(directory, "cuda");
        Checkpointer checkpointer = cairn.join("arrays")) {
      checkpointer.protect(NdArrays.region("w", array));
      FakeNatives.move(array);

      assertThatThrownBy(() -> checkpointer.checkpoint(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("region w", "relocate");
      checkpointer.relocate(NdArrays.region("w", array));
      captured(checkpointer, 1);
    }
  }

  @Test
  void memoryThatWasGivenBackIsRefused() throws Exception {
    INDArray array = array();
    try (Cairn cairn = CudaTrainings.open(directory, "cuda");
        Checkpointer checkpointer = cairn.join("arrays")) {
      checkpointer.protect(NdArrays.region("w", array));
      array.close();

      assertThatThrownBy(() -> checkpointer.checkpoint(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("region w", "closed");
    }
  }

  /** ND4J gives each thread streams of its own. */
  @Test
  void theOrderOfAnotherThreadIsRefused() throws Exception {
    INDArray array = array();
    Region elsewhere = CompletableFuture.supplyAsync(() -> NdArrays.region("w", array)).join();
    try (Cairn cairn = CudaTrainings.open(directory, "cuda");
        Checkpointer checkpointer = cairn.join("arrays")) {
      assertThatThrownBy(() -> checkpointer.protect(elsewhere))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("region w", "thread");
    }
  }

  /** Cairn's device is the first GPU; the array's copy in host memory is captured instead. */
  @Test
  void anArrayOfAnotherGpuNamesIt() throws Exception {
    Nd4j.getAffinityManager().unsafeSetDevice(1);
    INDArray array = array();
    array.addi(1);
    Nd4j.getAffinityManager().unsafeSetDevice(0);
    try (Cairn cairn = CudaTrainings.open(directory, "cuda");
        Checkpointer checkpointer = cairn.join("arrays")) {
      Region.OnDevice region = (Region.OnDevice) NdArrays.region("w", array);
      assertThat(region.device()).isEqualTo(new DeviceName("cuda", 1));
      checkpointer.protect(region);
      captured(checkpointer, 0);
      array.putScalar(0, 9);
      assertThat(checkpointer.restore()).isPresent();

      assertThat(array.toFloatVector()).containsExactly(2, 3, 4, 5);
    }
  }

  @Test
  void memoryOfAWorkspaceIsRefused() {
    try (MemoryWorkspace workspace =
        Nd4j.getWorkspaceManager().getAndActivateWorkspace("CUDA_ARRAYS")) {
      INDArray attached = Nd4j.create(4);
      assertThat(workspace.isScopeActive()).isTrue();

      assertThatIllegalArgumentException()
          .isThrownBy(() -> NdArrays.region("w", attached))
          .withMessageContainingAll("region w", "workspace", "detach()");
    }
  }
}
