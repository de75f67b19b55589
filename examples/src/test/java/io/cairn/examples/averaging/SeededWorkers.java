package io.cairn.examples.averaging;

import java.util.Objects;
import org.apache.spark.TaskContext;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.spark.api.TrainingHook;
import org.nd4j.linalg.dataset.api.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Seeds the generator of a worker's thread before each minibatch, by round, partition and
 * iteration. Without it a worker goes on with a generator that ND4J has seeded by the clock.
 */
final class SeededWorkers implements TrainingHook {
  private static final long serialVersionUID = 1;

  private final long round;

  SeededWorkers(long round) {
    this.round = round;
  }

  @Override
  public void preUpdate(DataSet minibatch, Model model) {
    seed(model);
  }

  @Override
  public void preUpdate(MultiDataSet minibatch, Model model) {
    seed(model);
  }

  private void seed(Model model) {
    int iterations =
        model instanceof MultiLayerNetwork layers
            ? layers.getIterationCount()
            : ((ComputationGraph) model).getIterationCount();
    int seed = Objects.hash(round, TaskContext.getPartitionId(), iterations);
    Nd4j.getRandom().setSeed(seed == 0 ? 1 : seed); // ND4J takes the time for 0
  }

  @Override
  public void postUpdate(DataSet minibatch, Model model) {
    // nothing is left to do
  }

  @Override
  public void postUpdate(MultiDataSet minibatch, Model model) {
    // nothing is left to do
  }
}
