package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;

/** The scores of a network, given to its checkpoints. */
class ScoredCheckpointsTest {
  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();
  private final MemoryCheckpointer checkpointer = checkpoints.join();
  private final List<Double> seen = new ArrayList<>();

  /** Notes the losses by DL4J's own means. */
  private final class Losses extends BaseTrainingListener {
    @Override
    public void iterationDone(Model model, int iteration, int epoch) {
      seen.add(model.score());
    }
  }

  private static MultiLayerNetwork network() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    return model;
  }

  @Test
  void aTrainingGivesEachItsLoss() {
    MultiLayerNetwork model = network();
    model.setListeners(new Losses());
    try (CairnTraining run = CairnTraining.resume(model, TestData.shuffling(), checkpointer)) {
      run.scoredBy(model::score).fit(1);
    }

    assertThat(checkpointer.scores.values()).containsExactlyElementsOf(seen).doesNotContainNull();
    assertThat(seen).hasSizeGreaterThan(2).doesNotContain(Double.NaN);
  }

  @Test
  void aListenerGivesEachItsLoss() {
    MultiLayerNetwork model = network();
    model.setListeners(new CairnListener(checkpointer).scoredBy(model::score), new Losses());
    model.fit(TestData.shuffling());

    assertThat(checkpointer.scores.values()).containsExactlyElementsOf(seen);
    assertThat(seen).hasSizeGreaterThan(2);
  }

  @Test
  void withoutAScoreNoneIsGiven() {
    MultiLayerNetwork model = network();
    model.setListeners(new CairnListener(checkpointer));
    model.fit(TestData.shuffling());

    assertThat(checkpointer.scores.values()).isNotEmpty().containsOnly(Double.NaN);
  }

  @Test
  void aScoreThatFailsCostsNoCheckpoint() {
    MultiLayerNetwork model = network();
    CairnListener listener =
        new CairnListener(checkpointer)
            .scoredBy(
                () -> {
                  throw new IllegalStateException("no held-out data");
                });
    model.setListeners(listener);
    model.fit(TestData.shuffling());

    assertThat(checkpoints.checkpoints).isNotEmpty();
    assertThat(listener.statistics().failed()).isZero();
    assertThat(checkpointer.scores.values()).containsOnly(Double.NaN);
  }
}
