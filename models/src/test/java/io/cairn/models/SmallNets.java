package io.cairn.models;

import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.constraint.MaxNormConstraint;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Networks and data that train in milliseconds, without random numbers. */
final class SmallNets {
  static final int MINIBATCHES = 5;
  private static final int BATCH = 4;

  private SmallNets() {}

  /** Batch normalisation, and a constraint that DL4J applies after each iteration. */
  static MultiLayerNetwork layers() {
    return new MultiLayerNetwork(
        base()
            .list()
            .layer(new DenseLayer.Builder().nIn(3).nOut(5).build())
            .layer(new BatchNormalization.Builder().nOut(5).build())
            .layer(output())
            .build());
  }

  static ComputationGraph graph() {
    return new ComputationGraph(
        base()
            .graphBuilder()
            .addInputs("in")
            .addLayer("hidden", new DenseLayer.Builder().nIn(3).nOut(5).build(), "in")
            .addLayer("out", output(), "hidden")
            .setOutputs("out")
            .build());
  }

  private static NeuralNetConfiguration.Builder base() {
    return new NeuralNetConfiguration.Builder()
        .seed(7)
        .updater(new Adam(0.02))
        .activation(Activation.TANH)
        .constrainWeights(new MaxNormConstraint(0.6, 1));
  }

  private static OutputLayer output() {
    return new OutputLayer.Builder(LossFunction.MSE).nIn(5).nOut(2).build();
  }

  static DataSetIterator data() {
    List<DataSet> examples = new ArrayList<>();
    for (int i = 0; i < MINIBATCHES * BATCH; i++) {
      examples.add(
          new DataSet(
              Nd4j.createFromArray(new float[][] {{i % 3, i % 5 - 2, 0.1f * i}}),
              Nd4j.createFromArray(new float[][] {{i % 2, i % 7 * 0.2f}})));
    }
    return new ListDataSetIterator<>(examples, BATCH);
  }

  /** Trains with DL4J alone. */
  static void fit(Model model, int epochs) {
    if (model instanceof MultiLayerNetwork layers) {
      layers.fit(data(), epochs);
    } else if (model instanceof ComputationGraph graph) {
      graph.fit(data(), epochs);
    }
  }
}
