package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.RestoreException;
import java.util.concurrent.atomic.AtomicInteger;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.saver.InMemoryModelSaver;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.ocnn.OCNNOutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.solvers.accumulation.BasicGradientsAccumulator;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trainings that no checkpoint could resume exactly are refused, or left without checkpoints. */
class UnsupportedTrainingTest {
  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  @ParameterizedTest
  @EnumSource(
      value = OptimizationAlgorithm.class,
      names = "STOCHASTIC_GRADIENT_DESCENT",
      mode = EnumSource.Mode.EXCLUDE)
  void aLineSearchSolverIsRefusedByName(OptimizationAlgorithm algorithm) {
    MemoryCheckpointer checkpointer = checkpoints.join();

    assertThatThrownBy(
            () ->
                CairnTraining.resume(
                    TestNets.solvedBy(algorithm), TestData.shuffling(), checkpointer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(algorithm.name());
    assertThat(checkpointer.closed).isTrue();
    assertThatThrownBy(
            () -> new CairnListener(checkpoints.join()).restore(TestNets.solvedBy(algorithm)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(algorithm.name());
  }

  @Test
  void aLineSearchSolverIsNotCaptured() {
    MultiLayerNetwork model = TestNets.solvedBy(OptimizationAlgorithm.LBFGS);
    model.init();
    model.setListeners(new CairnListener(checkpoints.join()));

    model.fit(TestData.shuffling().next());

    assertThat(checkpoints.checkpoints).isEmpty();
  }

  @Test
  void aLayerWithPrivateMemoryIsRefusedByName() {
    MultiLayerNetwork model =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .list()
                .layer(new DenseLayer.Builder().nIn(TestNets.INPUTS).nOut(4).build())
                .layer(new OCNNOutputLayer.Builder().nIn(4).hiddenLayerSize(3).nu(0.1).build())
                .build());

    assertThatThrownBy(() -> CairnTraining.resume(model, TestData.shuffling(), checkpoints.join()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("OCNNOutputLayer");
  }

  @Test
  void sharedGradientsAreRefusedByName() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setGradientsAccumulator(new BasicGradientsAccumulator(2));

    assertThatThrownBy(() -> CairnTraining.resume(model, TestData.shuffling(), checkpoints.join()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("BasicGradientsAccumulator");
  }

  @Test
  void earlyStoppingIsNotCaptured() {
    MultiLayerNetwork model = TestNets.adam();
    CairnListener listener = new CairnListener(checkpoints.join());
    listener.restore(model);
    model.setListeners(listener);

    new EarlyStoppingTrainer(
            new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
                .epochTerminationConditions(new MaxEpochsTerminationCondition(1))
                .scoreCalculator(new DataSetLossCalculator(TestData.shuffling(), true))
                .modelSaver(new InMemoryModelSaver<>())
                .build(),
            model,
            TestData.shuffling())
        .fit();

    assertThat(model.getIterationCount()).isEqualTo(TestData.MINIBATCHES);
    assertThat(checkpoints.checkpoints).isEmpty();
    assertThat(listener.statistics().captured()).isZero();
  }

  /** ParallelWrapper shares the model's listeners between threads that train clones. */
  @ParameterizedTest
  @EnumSource(
      value = ParallelWrapper.TrainingMode.class,
      names = {"AVERAGING", "SHARED_GRADIENTS"})
  void parallelWrapperIsNotCaptured(ParallelWrapper.TrainingMode mode) {
    AtomicInteger iterations = new AtomicInteger();
    CairnListener listener = new CairnListener(checkpoints.join());
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(counting(iterations), listener);

    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(model)
            .workers(2)
            .trainingMode(mode)
            .averagingFrequency(1)
            .prefetchBuffer(0)
            .build();
    try {
      wrapper.fit(TestData.shuffling());
    } finally {
      wrapper.shutdown();
    }

    assertThat(iterations.get()).as("the wrapper called the model's listeners").isPositive();
    assertThat(checkpoints.checkpoints).isEmpty();
    assertThat(listener.statistics().captured()).isZero();
  }

  private static BaseTrainingListener counting(AtomicInteger iterations) {
    return new BaseTrainingListener() {
      @Override
      public void iterationDone(Model model, int iteration, int epoch) {
        iterations.incrementAndGet();
      }
    };
  }

  @Test
  void aTrainingsCheckpointerRestoresOnlyWithItsIterator() {
    MemoryCheckpointer checkpointer = checkpoints.join();
    try (CairnTraining run =
        CairnTraining.resume(TestNets.adam(), TestData.shuffling(), checkpointer)) {
      run.fit(1);

      assertThatThrownBy(() -> checkpointer.restoreBefore(2))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("rollBackBefore");
    }
  }
}
