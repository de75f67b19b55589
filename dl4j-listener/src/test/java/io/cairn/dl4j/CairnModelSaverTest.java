package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DL4J's early stopping with the best and the latest network in a store. */
class CairnModelSaverTest {
  @TempDir Path temporary;
  private File directory = new File("");

  @BeforeEach
  void name() {
    directory = temporary.resolve("saver").toFile();
  }

  private CairnModelSaver<MultiLayerNetwork> saver() {
    return CairnModelSaver.ofLowest(directory);
  }

  private static MultiLayerNetwork network(double parameter) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.params().assign(parameter);
    return model;
  }

  @Test
  void theBestAndTheLatestOutliveTheProcess() throws IOException {
    try (CairnModelSaver<MultiLayerNetwork> saver = saver()) {
      saver.saveBestModel(network(0.5), 0.3);
      saver.saveBestModel(network(0.25), 0.2);
      saver.saveLatestModel(network(0.125), 0.0);
      assertThat(saver.getBestModel().params().getDouble(0)).isEqualTo(0.25);
    }
    try (CairnModelSaver<MultiLayerNetwork> saver = saver()) {
      assertThat(saver.bestScore()).hasValue(0.2);
      assertThat(saver.getBestModel().score()).isEqualTo(0.2);
      assertThat(saver.getLatestModel().params().getDouble(0)).isEqualTo(0.125);
      // a trainer that begins anew has forgotten the score
      saver.saveBestModel(network(0.75), 0.9);
      assertThat(saver.getBestModel().params().getDouble(0)).isEqualTo(0.25);
      assertThat(saver.getLatestModel().params().getDouble(0)).isEqualTo(0.75);
      saver.saveBestModel(network(0.0625), 0.1);
    }
    try (CairnModelSaver<MultiLayerNetwork> saver = saver()) {
      assertThat(saver.getBestModel().params().getDouble(0)).isEqualTo(0.0625);
    }
  }

  @Test
  void theHighestScoreMayBeTheBest() throws IOException {
    try (CairnModelSaver<ComputationGraph> saver = CairnModelSaver.ofHighest(directory)) {
      ComputationGraph graph = TestNets.graph();
      graph.init();
      saver.saveBestModel(graph, 0.8);
      Object best = ModelDigest.of(graph);
      graph.params().assign(0.5);
      saver.saveBestModel(graph, 0.7);
      assertThat(ModelDigest.of(saver.getBestModel())).isEqualTo(best);
      assertThat(ModelDigest.of(saver.getLatestModel())).isEqualTo(ModelDigest.of(graph));
    }
  }

  @Test
  void withoutANetworkThereIsNone() {
    try (CairnModelSaver<MultiLayerNetwork> saver = saver()) {
      assertThatThrownBy(saver::getBestModel)
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining(directory + " has no saved network");
    }
  }

  private EarlyStoppingResult<MultiLayerNetwork> train(
      CairnModelSaver<MultiLayerNetwork> saver, MultiLayerNetwork model, int epochs) {
    EarlyStoppingConfiguration<MultiLayerNetwork> configuration =
        new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
            .modelSaver(saver)
            .saveLastModel(true)
            .scoreCalculator(new DataSetLossCalculator(TestData.shuffling(), true))
            .epochTerminationConditions(new MaxEpochsTerminationCondition(epochs))
            .build();
    return new EarlyStoppingTrainer(configuration, model, TestData.shuffling()).fit();
  }

  /** DL4J ends a training whose iteration fails, and asks the saver for the best network. */
  @Test
  void aTrainerThatFailedGoesOnFromTheLatestNetwork() throws IOException {
    Object latest;
    double score;
    try (CairnModelSaver<MultiLayerNetwork> saver = saver()) {
      MultiLayerNetwork model = TestNets.adam();
      model.init();
      model.addListeners(
          new BaseTrainingListener() {
            @Override
            public void iterationDone(Model trained, int iteration, int epoch) {
              if (iteration == 2 * TestData.MINIBATCHES + 1) {
                throw new IllegalStateException("the GPU is gone");
              }
            }
          });
      EarlyStoppingResult<MultiLayerNetwork> failed = train(saver, model, 5);
      assertThat(failed.getTerminationReason())
          .isEqualTo(EarlyStoppingResult.TerminationReason.Error);
      score = saver.bestScore().orElseThrow();
      assertThat(failed.getBestModelScore()).isEqualTo(score);
      latest = ModelDigest.of(saver.getLatestModel());
    }
    try (CairnModelSaver<MultiLayerNetwork> saver = saver()) {
      MultiLayerNetwork model = saver.getLatestModel();
      assertThat(ModelDigest.of(model)).isEqualTo(latest);
      assertThat(model.getIterationCount()).isEqualTo(2 * TestData.MINIBATCHES);
      EarlyStoppingResult<MultiLayerNetwork> result = train(saver, model, 2);
      assertThat(result.getBestModelScore()).isLessThanOrEqualTo(score);
      assertThat(saver.bestScore()).hasValue(result.getBestModelScore());
      assertThat(ModelDigest.of(result.getBestModel()))
          .isEqualTo(ModelDigest.of(saver.getBestModel()));
    }
  }
}
