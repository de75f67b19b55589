package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Digest;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.layers.RecurrentLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.layers.wrapper.BaseWrapperLayer;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;

/** Graphs, of one input and of several, end like DL4J's own undisturbed fit, bit for bit. */
class GraphTrainingTest {
  private static final int EPOCHS = 3;
  private static final int NEVER = -1;

  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static BaseTrainingListener dyingAt(int death) {
    return new BaseTrainingListener() {
      @Override
      public void iterationDone(Model model, int iteration, int epoch) {
        if (iteration == death) {
          throw new DeathException();
        }
      }
    };
  }

  private static ComputationGraph dying(ComputationGraph graph, int death) {
    graph.init();
    graph.setListeners(dyingAt(death));
    return graph;
  }

  private static Digest undisturbed() {
    ComputationGraph graph = TestNets.graph();
    graph.init();
    graph.fit(TestData.twoInputs(), EPOCHS);
    return ModelDigest.of(graph);
  }

  /**
   * With four minibatches per epoch, 3 dies in the last of an epoch, 4 in the first of the next.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 6, 11})
  void twoInputsResumeBitForBit(int death) {
    CairnTraining dies =
        CairnTraining.resume(
            dying(TestNets.graph(), death), TestData.twoInputs(), checkpoints.join());
    assertThatThrownBy(() -> dies.fit(EPOCHS)).isInstanceOf(DeathException.class);

    Nd4j.getRandom().setSeed(4711);
    ComputationGraph graph = TestNets.graph();
    try (CairnTraining run =
        CairnTraining.resume(graph, TestData.twoInputs(), checkpoints.join())) {
      assertThat(run.restored()).isPresent();
      run.fit(EPOCHS);
    }

    assertThat(ModelDigest.of(graph)).isEqualTo(undisturbed());
    assertThat(graph.getIterationCount()).isEqualTo(EPOCHS * TestData.MINIBATCHES);
    assertThat(graph.getEpochCount()).isEqualTo(EPOCHS);
  }

  @Test
  void aGraphRollsBackBitForBit() {
    ComputationGraph graph = dying(TestNets.graph(), 6);
    try (CairnTraining run =
        CairnTraining.resume(graph, TestData.twoInputs(), checkpoints.join())) {
      assertThatThrownBy(() -> run.fit(EPOCHS)).isInstanceOf(DeathException.class);
      graph.params().assign(Double.NaN);
      graph.setListeners();

      assertThat(run.rollBackBefore(3, TestData.twoInputs())).isPresent();
      run.fit(EPOCHS);
    }

    assertThat(ModelDigest.of(graph)).isEqualTo(undisturbed());
  }

  private static ComputationGraph changing(int death) {
    ComputationGraph graph = dying(TestNets.plainGraph(), death);
    graph.addListeners(
        new BaseTrainingListener() {
          @Override
          public void onEpochEnd(Model ended) {
            if (graph.getEpochCount() == 0) {
              graph.setLearningRate("out", 0.003);
            }
          }
        });
    return graph;
  }

  /** A changed rate splits DL4J's block of equal layers, which orders the state's bytes anew. */
  @Test
  void aChangedLearningRateResumesBitForBit() {
    ComputationGraph plain = changing(NEVER);
    plain.fit(TestData.shuffling(), EPOCHS);
    CairnTraining dies =
        CairnTraining.resume(changing(6), TestData.shuffling(), checkpoints.join());
    assertThatThrownBy(() -> dies.fit(EPOCHS)).isInstanceOf(DeathException.class);

    Nd4j.getRandom().setSeed(4711);
    ComputationGraph graph = changing(NEVER);
    try (CairnTraining run =
        CairnTraining.resume(graph, TestData.shuffling(), checkpoints.join())) {
      run.fit(EPOCHS);
    }

    assertThat(ModelDigest.of(graph)).isEqualTo(ModelDigest.of(plain));
  }

  private static void loop(ComputationGraph graph, long from, int to) {
    DataSet minibatch = TestData.shuffling().next();
    for (long k = from; k < to; k++) {
      graph.fit(minibatch);
    }
  }

  @Test
  void aListenerResumesAGraphBitForBit() {
    ComputationGraph undisturbed = TestNets.plainGraph();
    undisturbed.init();
    loop(undisturbed, 0, 6);
    ComputationGraph first = TestNets.plainGraph();
    CairnListener listener = new CairnListener(checkpoints.join());
    listener.restore(first);
    first.addListeners(listener);
    loop(first, 0, 4);

    Nd4j.getRandom().setSeed(4711);
    ComputationGraph second = TestNets.plainGraph();
    CairnListener later = new CairnListener(checkpoints.join());
    assertThat(later.restore(second)).isPresent();
    second.addListeners(later);
    loop(second, later.epochMinibatches(), 6);

    assertThat(ModelDigest.of(second)).isEqualTo(ModelDigest.of(undisturbed));
  }

  /** DL4J does not clear what a wrapped layer carries, and trains the next minibatch from it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void carriedActivationsAreRestored(boolean leftOut) {
    ComputationGraph undisturbed = dying(TestNets.wrappedRecurrent(), NEVER);
    undisturbed.fit(TestData.masked(), EPOCHS);
    CairnTraining dies =
        CairnTraining.resume(
            dying(TestNets.wrappedRecurrent(), 16), TestData.masked(), checkpoints.join());
    assertThatThrownBy(() -> dies.fit(EPOCHS)).isInstanceOf(DeathException.class);

    ComputationGraph graph = TestNets.wrappedRecurrent();
    try (CairnTraining run = CairnTraining.resume(graph, TestData.masked(), checkpoints.join())) {
      if (leftOut) {
        ((RecurrentLayer) ((BaseWrapperLayer) graph.getLayer("lstm")).getUnderlying())
            .rnnClearPreviousState();
      }
      run.fit(EPOCHS);
    }

    assertThat(ModelDigest.of(graph).equals(ModelDigest.of(undisturbed))).isEqualTo(!leftOut);
  }
}
