package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.dl4j.cuda.FakeNatives;
import io.cairn.dl4j.files.Dl4jZip;
import io.cairn.dl4j.files.Safetensors;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import io.cairn.training.Certifier;
import io.cairn.training.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;

/** Trainings on ND4J's backend for CUDA, over a driver without a GPU, that die and resume. */
@Timeout(120)
class CudaTrainingTest {
  private static String undisturbedLayers;
  private static String undisturbedGraph;

  @TempDir private Path directory;

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static BaseTrainingListener at(int iteration, Runnable action) {
    return new BaseTrainingListener() {
      @Override
      public void iterationDone(Model model, int done, int epoch) {
        if (done == iteration) {
          action.run();
        }
      }
    };
  }

  private static BaseTrainingListener dyingAt(int iteration) {
    return at(
        iteration,
        () -> {
          throw new DeathException();
        });
  }

  private static BaseTrainingListener quiet() {
    return at(-1, () -> {});
  }

  /** Trains without Cairn, once for all tests that compare with it. */
  @BeforeAll
  static void trainUndisturbed() {
    MultiLayerNetwork layers = TestNets.adam();
    layers.init();
    layers.fit(TestData.shuffling(), CudaTrainings.EPOCHS);
    undisturbedLayers = ModelDigest.of(layers).toString();
    ComputationGraph graph = TestNets.graph();
    graph.init();
    graph.fit(TestData.twoInputs(), CudaTrainings.EPOCHS);
    undisturbedGraph = ModelDigest.of(graph).toString();
  }

  private void resumes(
      String kind, BiFunction<Cairn, BaseTrainingListener, String> training, String undisturbed)
      throws IOException {
    try (Cairn cairn = CudaTrainings.open(directory, kind)) {
      assertThatThrownBy(() -> training.apply(cairn, dyingAt(3)))
          .isInstanceOf(DeathException.class);
      Nd4j.getRandom().setSeed(4711);
      assertThatThrownBy(() -> training.apply(cairn, dyingAt(5)))
          .isInstanceOf(DeathException.class);
    }
    Nd4j.getRandom().setSeed(12);
    try (Cairn cairn = CudaTrainings.open(directory, kind)) {
      assertThat(training.apply(cairn, quiet())).isEqualTo(undisturbed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuda", "shm"})
  void layersResumeToTheBit(String kind) throws IOException {
    resumes(kind, CudaTrainings::layers, undisturbedLayers);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuda", "shm"})
  void graphsResumeToTheBit(String kind) throws IOException {
    resumes(kind, CudaTrainings::graph, undisturbedGraph);
  }

  @Test
  void aProcessThatIsKilledLosesNothing() throws Exception {
    try (ChildProcess first = process(4)) {
      first.await(CudaTrainings.WAITS);
      first.kill();
    }
    try (ChildProcess second = process(-1)) {
      assertThat(second.await(CudaTrainings.DIGEST)).isEqualTo(undisturbedLayers);
    }
  }

  private ChildProcess process(int deadly) throws IOException {
    return Command.java(CudaTrainings.class, directory, "cuda", deadly)
        .options("-Dfake.cuda=" + FakeNatives.library())
        .environment("FAKECUDA_KERNELS", FakeNatives.kernels())
        .small(512)
        .start();
  }

  @Test
  void aLivingProcessResumesFromTheGpu() throws IOException {
    try (Cairn cairn = CudaTrainings.open(directory, "cuda")) {
      assertThatThrownBy(() -> CudaTrainings.layers(cairn, dyingAt(4)))
          .isInstanceOf(DeathException.class);
      MultiLayerNetwork model = TestNets.adam();
      try (CairnTraining run =
          CairnTraining.resume(model, TestData.shuffling(), cairn.join("layers"))) {
        assertThat(run.restored().orElseThrow().level()).isEqualTo(Level.DEVICE);
        assertThat(run.restored().orElseThrow().id().iteration()).isEqualTo(3);
        run.fit(CudaTrainings.EPOCHS);
        assertThat(run.statistics().failed() + run.statistics().skipped()).isZero();
      }
      assertThat(ModelDigest.of(model).toString()).isEqualTo(undisturbedLayers);
    }
  }

  @Test
  void aReplayCertifiesACheckpoint() throws IOException {
    try (Cairn cairn = CudaTrainings.open(directory, "cuda")) {
      String unused = CudaTrainings.layers(cairn, quiet());
      Nd4j.getRandom().setSeed(4711);
      Certifier certifier =
          CairnTraining.certifier(
              cairn.stored("layers"),
              spare -> CairnTraining.resume(TestNets.adam(), TestData.shuffling(), spare),
              CudaTrainings.EPOCHS);

      assertThat(certifier.certifyNewest()).get().isInstanceOf(Verdict.Certified.class);
    }
  }

  @Test
  void memoryThatNd4jMovesIsFollowed() throws IOException {
    resumesAfterAChange("cuda", true);
  }

  /** ND4J keeps what the program writes itself in host memory. */
  @ParameterizedTest
  @ValueSource(strings = {"cuda", "shm"})
  void writesOfTheProgramAreCaptured(String kind) throws IOException {
    resumesAfterAChange(kind, false);
  }

  private void resumesAfterAChange(String kind, boolean moves) throws IOException {
    MultiLayerNetwork expected = TestNets.adam();
    expected.init();
    expected.setListeners(at(2, () -> change(expected, moves)));
    expected.fit(TestData.shuffling(), CudaTrainings.EPOCHS);
    try (Cairn cairn = CudaTrainings.open(directory, kind)) {
      MultiLayerNetwork model = TestNets.adam();
      model.init();
      try (CairnTraining run =
          CairnTraining.resume(model, TestData.shuffling(), cairn.join("layers"))) {
        model.addListeners(at(2, () -> change(model, moves)), dyingAt(4));
        assertThatThrownBy(() -> run.fit(CudaTrainings.EPOCHS)).isInstanceOf(DeathException.class);
        assertThat(run.statistics().failed()).isZero();
      }
      assertThat(CudaTrainings.layers(cairn, quiet()))
          .isEqualTo(ModelDigest.of(expected).toString());
    }
  }

  private static void change(MultiLayerNetwork model, boolean moves) {
    if (moves) {
      FakeNatives.move(model.params());
      FakeNatives.move(model.getUpdater().getStateViewArray());
    } else {
      model.params().putScalar(3, 0.25);
    }
  }

  @Test
  void aLoopOfTheProgramsOwnResumes() throws IOException {
    try (Cairn cairn = CudaTrainings.open(directory, "cuda")) {
      assertThatThrownBy(() -> loop(cairn, new DyingData(6)))
          .isInstanceOf(DyingData.DeathException.class);
      assertThat(loop(cairn, TestData.shuffling())).isEqualTo(undisturbedLayers);
    }
  }

  private static String loop(Cairn cairn, TestData.Shuffling data) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    try (Checkpointer checkpointer = cairn.join("loop")) {
      CairnListener listener = new CairnListener(checkpointer);
      listener.restore(model);
      model.addListeners(listener);
      listener.skipConsumed(data);
      while (model.getEpochCount() < CudaTrainings.EPOCHS) {
        while (data.hasNext()) {
          model.fit(data.next());
        }
        data.reset();
        model.incrementEpochCount();
      }
      listener.end();
      assertThat(listener.statistics().failed()).isZero();
    }
    return ModelDigest.of(model).toString();
  }

  @Test
  void earlyStoppingResumes() throws IOException {
    String expected = stopped("one", quiet());

    assertThatThrownBy(() -> stopped("two", dyingAt(5))).isInstanceOf(DeathException.class);
    assertThat(stopped("two", quiet())).isEqualTo(expected);
  }

  private String stopped(String group, BaseTrainingListener listener) throws IOException {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(listener);
    try (Cairn cairn = CudaTrainings.open(directory, "cuda");
        var saver = CairnModelSaver.<MultiLayerNetwork>ofLowest(directory.resolve(group).toFile());
        var run =
            CairnEarlyStopping.resume(
                StoppingTrainings.configuration(
                    saver,
                    new DataSetLossCalculator(TestData.shuffling(1), true),
                    new MaxEpochsTerminationCondition(2)),
                model,
                TestData.shuffling(),
                cairn.join(group))) {
      return StoppingTrainings.text(run.fit(), model);
    }
  }

  /** The values that a saver reads are those on the GPU. */
  @Test
  void aSavedNetworkComesBack() throws IOException {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.params().addi(0.125);
    try (var saver =
        CairnModelSaver.<MultiLayerNetwork>ofLowest(directory.resolve("saver").toFile())) {
      saver.saveBestModel(model, 1);

      MultiLayerNetwork back = saver.getBestModel();

      assertThat(FakeNatives.floatsOnDevice(back.params().addi(1)))
          .isEqualTo(FakeNatives.floatsOnDevice(model.params().addi(1)));
    }
  }

  @Test
  void roundsResume() throws IOException {
    try (Cairn cairn = CudaTrainings.open(directory, "cuda")) {
      assertThatThrownBy(() -> rounds(cairn, 2)).isInstanceOf(DeathException.class);
      assertThat(rounds(cairn, -1)).isEqualTo(roundsWithoutCairn());
    }
  }

  private static String rounds(Cairn cairn, long deadly) {
    MultiLayerNetwork model = TestNets.hidden(new Adam(0.1), Activation.TANH);
    model.init();
    try (TrainingRounds rounds = TrainingRounds.resume(model, cairn.join("rounds"))) {
      rounds.run(
          4,
          round -> {
            model.fit(TestData.shuffling());
            if (round == deadly) {
              throw new DeathException();
            }
          });
    }
    return ModelDigest.of(model).toString();
  }

  private static String roundsWithoutCairn() {
    MultiLayerNetwork model = TestNets.hidden(new Adam(0.1), Activation.TANH);
    model.init();
    for (int round = 0; round < 4; round++) {
      model.fit(TestData.shuffling());
    }
    return ModelDigest.of(model).toString();
  }

  /** The GPU's side of what a file was read into has older bytes. */
  @Test
  void filesAreReadIntoNetworks() throws Exception {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    Path zip = directory.resolve("net.zip");
    Path tensors = directory.resolve("net.safetensors");
    ModelSerializer.writeModel(model, zip.toFile(), true);
    int unused = Safetensors.write(Dl4jZip.read(zip), Map.of(), tensors);

    Model fromZip = Dl4jZip.read(zip).model();
    Model fromTensors = Safetensors.read(tensors, Optional.empty()).model();

    assertThat(fromZip.params().mul(2)).as("on the GPU").isEqualTo(model.params().mul(2));
    assertThat(fromTensors.params().mul(2)).as("on the GPU").isEqualTo(model.params().mul(2));
  }
}
