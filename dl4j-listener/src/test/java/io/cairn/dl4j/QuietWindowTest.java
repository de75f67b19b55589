package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Supplier;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.Nesterovs;

/**
 * Captures beside the training: each is copied at the last moment that the training allows, and
 * must have the bytes of the moment when it was asked for.
 */
class QuietWindowTest {
  private static final int EPOCHS = 3;
  private static final int ITERATIONS = EPOCHS * TestData.MINIBATCHES;

  private final MemoryCheckpointer checkpointer = new MemoryCheckpoints().join();

  private void trainLayers(MultiLayerNetwork model, DataSetIterator data) {
    try (CairnTraining run = CairnTraining.resume(model, data, checkpointer)) {
      run.fit(EPOCHS);
      assertThat(run.statistics().captured()).isPositive();
      assertThat(run.statistics().failed() + run.statistics().skipped()).isZero();
    }
    requireExact();
  }

  private void requireExact() {
    assertThat(checkpointer.torn).isEmpty();
    assertThat(checkpointer.besides).as("all but the last one").isEqualTo(ITERATIONS - 1);
  }

  @Test
  void batchNormalisationDropoutAndConstraints() {
    trainLayers(TestNets.adam(), TestData.shuffling());
  }

  @Test
  void networksOfOtherUpdaters() {
    trainLayers(TestNets.hidden(new Nesterovs(0.1), Activation.RELU), TestData.shuffling());
  }

  @Test
  void networksWithoutStateOfAnUpdater() {
    trainLayers(TestNets.plain(), TestData.shuffling());
  }

  @Test
  void truncatedBackpropagation() {
    trainLayers(TestNets.truncatedBackpropagation(), TestData.series());
  }

  @Test
  void graphsOfTwoInputs() {
    try (CairnTraining run =
        CairnTraining.resume(TestNets.graph(), TestData.twoInputs(), checkpointer)) {
      run.fit(EPOCHS);
    }
    requireExact();
  }

  @Test
  void theRunIsThatWithoutCheckpoints() {
    MultiLayerNetwork captured = TestNets.adam();
    trainLayers(captured, TestData.shuffling());
    MultiLayerNetwork plain = TestNets.adam();
    plain.init();
    plain.fit(TestData.shuffling(), EPOCHS);
    assertThat(ModelDigest.of(captured)).isEqualTo(ModelDigest.of(plain));
    assertThat(captured.getListeners()).isEmpty();
  }

  @Test
  void learningRatesThatChangeBetweenIterations() {
    MultiLayerNetwork model = TestNets.hidden(new Adam(0.1), Activation.TANH);
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void onEpochEnd(Model trained) {
            model.setLearningRate(0.05);
          }
        });
    trainLayers(model, TestData.shuffling());
  }

  /** A loop of the program's own, with a listener. */
  private CairnListener listen(Supplier<? extends Model> network) {
    return listen(network, TestData.shuffling());
  }

  private CairnListener listen(Supplier<? extends Model> network, DataSetIterator data) {
    CairnListener listener = new CairnListener(checkpointer);
    Model model = network.get();
    listener.restore(model);
    if (model instanceof MultiLayerNetwork layers) {
      layers.addListeners(listener);
      layers.fit(data, EPOCHS);
    } else if (model instanceof ComputationGraph graph) {
      graph.addListeners(listener);
      graph.fit(TestData.oneInput(), EPOCHS);
    }
    listener.end();
    assertThat(listener.statistics().captured()).isEqualTo(ITERATIONS);
    assertThat(checkpointer.torn).isEmpty();
    return listener;
  }

  @Test
  void listenersOfNetworksWithoutConstraints() {
    listen(() -> TestNets.hidden(new Adam(0.1), Activation.TANH));
    assertThat(checkpointer.besides).isEqualTo(ITERATIONS);
  }

  @Test
  void listenersOfGraphs() {
    listen(TestNets::plainGraph);
    assertThat(checkpointer.besides).isEqualTo(ITERATIONS);
  }

  /** Its copies come before the update in its own order. */
  @Test
  void noUpdateWaitsForTheCopiesOfAGpu() {
    checkpointer.landsLate = true;

    trainLayers(TestNets.hidden(new Adam(0.1), Activation.TANH), TestData.shuffling());
  }

  @Test
  void constraintsAreAppliedAfterAListenerSoItCopiesInPlace() {
    listen(TestNets::adam);
    assertThat(checkpointer.besides).isZero();
  }

  @Test
  void constraintsOfInnerLayersAreAppliedAfterAListenerToo() {
    listen(TestNets::bidirectional, TestData.series());
    assertThat(checkpointer.besides).isZero();
  }

  /** Such as an average of weights. */
  @Test
  void listenersThatWriteTheModelAtTheEndOfAnEpoch() {
    MultiLayerNetwork model = TestNets.hidden(new Adam(0.1), Activation.TANH);
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void onEpochEnd(Model trained) {
            model.params().muli(0.99);
          }
        });
    trainLayers(model, TestData.shuffling());
  }

  @Test
  void aProgramWaitsBeforeItWritesTheModel() {
    CairnListener listener = new CairnListener(checkpointer);
    MultiLayerNetwork model = TestNets.hidden(new Adam(0.1), Activation.TANH);
    listener.restore(model);
    model.addListeners(listener);
    DataSetIterator data = TestData.shuffling();
    for (int i = 0; i < 3; i++) {
      model.fit(data.next());
      listener.awaitCaptured();
      model.params().muli(0.99);
    }
    assertThat(checkpointer.besides).isEqualTo(3);
    assertThat(checkpointer.torn).isEmpty();
  }

  @Test
  void aListenerWaitsForThoseBehindItAtTheEndOfAnEpoch() {
    CairnListener listener = new CairnListener(checkpointer);
    MultiLayerNetwork model = TestNets.hidden(new Adam(0.1), Activation.TANH);
    listener.restore(model);
    model.addListeners(
        listener,
        new BaseTrainingListener() {
          @Override
          public void onEpochEnd(Model trained) {
            model.params().muli(0.99);
          }
        });
    DataSetIterator data = TestData.shuffling();
    for (int epoch = 0; epoch < 3; epoch++) {
      model.fit(data);
    }
    assertThat(checkpointer.besides).isPositive();
    assertThat(checkpointer.torn).isEmpty();
  }

  @Test
  void anEndInMidIterationLeavesNothingUnderWay() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void onBackwardPass(Model trained) {
            if (model.getIterationCount() == 5) {
              throw new IllegalStateException("planted");
            }
          }
        });
    try (CairnTraining run = CairnTraining.resume(model, TestData.shuffling(), checkpointer)) {
      assertThatThrownBy(() -> run.fit(EPOCHS)).hasMessageContaining("planted");
      model.params().assign(0);
      assertThat(run.statistics().captured()).isEqualTo(5);
    }
    assertThat(checkpointer.torn).isEmpty();
    assertThat(checkpointer.besides).isEqualTo(5);
  }

  /** A listener whose model trains two iterations, with the second one's copy under way. */
  private CairnListener listenTwice(MultiLayerNetwork model, DataSetIterator data) {
    CairnListener listener = new CairnListener(checkpointer);
    listener.restore(model);
    model.addListeners(listener);
    model.fit(data.next());
    model.fit(data.next());
    assertThat(checkpointer.besides).isEqualTo(2);
    return listener;
  }

  @Test
  void aCheckpointUnderAnUnannouncedUpdateFails() {
    MultiLayerNetwork model = TestNets.hidden(new Adam(0.1), Activation.TANH);
    DataSetIterator data = TestData.shuffling();
    CairnListener listener = listenTwice(model, data);
    model.setListeners();
    model.fit(data.next());
    listener.iterationDone(model, 3, 0);
    assertThat(listener.statistics().captured()).as("the first and the third").isEqualTo(2);
    assertThat(listener.statistics().failed()).isEqualTo(1);
  }

  @Test
  void aListenerThatWasTakenOffTheModelCopiesInPlaceNext() {
    MultiLayerNetwork model = TestNets.hidden(new Adam(0.1), Activation.TANH);
    DataSetIterator data = TestData.shuffling();
    CairnListener listener = listenTwice(model, data);
    listener.awaitCaptured();
    model.setListeners();
    model.fit(data.next());
    listener.iterationDone(model, 3, 0);
    assertThat(checkpointer.besides).as("nothing announces updates").isEqualTo(2);
    assertThat(checkpointer.torn).isEmpty();
  }
}
