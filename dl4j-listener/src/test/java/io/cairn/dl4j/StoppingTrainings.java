package io.cairn.dl4j;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingModelSaver;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.saver.InMemoryModelSaver;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.scorecalc.ScoreCalculator;
import org.deeplearning4j.earlystopping.termination.EpochTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.termination.ScoreImprovementEpochTerminationCondition;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Early stoppings whose score gets worse again; and a process that trains one until it is killed.
 */
final class StoppingTrainings {
  static final int MOST_EPOCHS = 8;
  static final String RESULT = "result ";
  static final String WAITS = "waits";

  private StoppingTrainings() {}

  /** Data with labels of others, which a training fits ever worse. */
  static DataSetIterator validation() {
    List<DataSet> own = TestData.minibatches(0);
    return new ListDataSetIterator<>(
        List.of(new DataSet(own.get(0).getFeatures(), own.get(1).getLabels())), 1);
  }

  /** The networks that survive the processes of a test. */
  static final class KeptNetworks<T extends Model> implements EarlyStoppingModelSaver<T> {
    private static final long serialVersionUID = 1;

    private final InMemoryModelSaver<T> memory = new InMemoryModelSaver<>();

    @Override
    public void saveBestModel(T net, double score) throws IOException {
      memory.saveBestModel(net, score);
    }

    @Override
    public void saveLatestModel(T net, double score) throws IOException {
      memory.saveLatestModel(net, score);
      Nd4j.getRandom().setSeed(99); // as one that builds a network
    }

    @Override
    public T getBestModel() throws IOException {
      return memory.getBestModel();
    }

    @Override
    public T getLatestModel() throws IOException {
      return memory.getLatestModel();
    }
  }

  static <T extends Model> EarlyStoppingConfiguration<T> configuration(
      EarlyStoppingModelSaver<T> saver,
      ScoreCalculator<?> calculator,
      EpochTerminationCondition... conditions) {
    return new EarlyStoppingConfiguration.Builder<T>()
        .modelSaver(saver)
        .saveLastModel(true)
        .scoreCalculator(calculator)
        .epochTerminationConditions(conditions)
        .build();
  }

  static EpochTerminationCondition[] conditions() {
    return new EpochTerminationCondition[] {
      new ScoreImprovementEpochTerminationCondition(2),
      new MaxEpochsTerminationCondition(MOST_EPOCHS)
    };
  }

  /** All that the training yields. */
  static String text(EarlyStoppingResult<?> result, Model last) {
    return String.join(
        " ",
        result.getTerminationReason().toString(),
        result.getTerminationDetails().replace(" ", ""),
        Integer.toString(result.getTotalEpochs()),
        Integer.toString(result.getBestModelEpoch()),
        Double.toString(result.getBestModelScore()),
        result.getScoreVsEpoch().toString().replace(" ", ""),
        result.getBestModel() == null ? "none" : ModelDigest.of(result.getBestModel()).toString(),
        ModelDigest.of(last).toString());
  }

  static String layers(
      EarlyStoppingModelSaver<MultiLayerNetwork> saver,
      Checkpointer checkpointer,
      BaseTrainingListener listener) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(listener);
    try (CairnEarlyStopping<MultiLayerNetwork> run =
        CairnEarlyStopping.resume(
            configuration(saver, new DataSetLossCalculator(validation(), true), conditions()),
            model,
            TestData.shuffling(),
            checkpointer)) {
      return text(run.fit(), model);
    }
  }

  static String graph(
      EarlyStoppingModelSaver<ComputationGraph> saver,
      Checkpointer checkpointer,
      BaseTrainingListener listener) {
    ComputationGraph model = TestNets.graph();
    model.init();
    model.setListeners(listener);
    try (CairnEarlyStopping<ComputationGraph> run =
        CairnEarlyStopping.resume(
            configuration(
                saver, new DataSetLossCalculator(TestData.twoInputs(), true), conditions()),
            model,
            TestData.twoInputs(),
            checkpointer)) {
      return text(run.fit(), model);
    }
  }

  /** Arguments: a directory, and the iteration at which the training waits for the kill, or -1. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    int deadly = Integer.parseInt(arguments[1]);
    BaseTrainingListener waiting =
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int iteration, int epoch) {
            if (iteration == deadly) {
              System.out.println(WAITS);
              while (true) {
                LockSupport.park();
              }
            }
          }
        };
    try (Cairn cairn =
            Cairn.open(
                Map.of(
                    "store", directory.resolve("store").toString(),
                    "node.dir", directory.resolve("node").toString(),
                    "device.dir", directory.resolve("device").toString(),
                    "device.cacheSize", "4m",
                    "chunkSize", "4k",
                    "cadence", "fixed",
                    "node.every", "1",
                    "store.every", "4"));
        CairnModelSaver<MultiLayerNetwork> saver =
            CairnModelSaver.ofLowest(directory.resolve("best").toFile())) {
      System.out.println(RESULT + layers(saver, cairn.join("stopping"), waiting));
    }
  }
}
