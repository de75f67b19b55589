package io.cairn.dl4j;

import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.constraint.MaxNormConstraint;
import org.deeplearning4j.nn.conf.dropout.Dropout;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.layers.misc.FrozenLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.Bidirectional;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** Tiny networks that have what makes exact resumption hard. */
public final class TestNets {
  static final int INPUTS = 6;
  static final int CLASSES = 3;

  private TestNets() {}

  /** Batch normalisation, dropout, a constraint that binds, and a schedule over both counters. */
  static MultiLayerNetwork dense(IUpdater updater, int width) {
    return new MultiLayerNetwork(
        new NeuralNetConfiguration.Builder()
            .seed(7)
            .updater(updater)
            .weightInit(WeightInit.XAVIER)
            .constrainWeights(new MaxNormConstraint(0.6, 1))
            .list()
            .layer(new DenseLayer.Builder().nIn(INPUTS).nOut(width).dropOut(fading()).build())
            .layer(new BatchNormalization.Builder().nIn(width).nOut(width).build())
            .layer(
                new DenseLayer.Builder()
                    .nIn(width)
                    .nOut(width)
                    .activation(Activation.TANH)
                    .dropOut(0.8)
                    .build())
            .layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(width)
                    .nOut(CLASSES)
                    .activation(Activation.SOFTMAX)
                    .build())
            .build());
  }

  /** Layers read the iteration from counters of their own. */
  private static Dropout fading() {
    return new Dropout(new ExponentialSchedule(ScheduleType.ITERATION, 0.9, 0.95));
  }

  public static MultiLayerNetwork adam() {
    return dense(new Adam(new ExponentialSchedule(ScheduleType.EPOCH, 0.02, 0.9)), 8);
  }

  /** One hidden layer, of which a program may change the updater and the activation. */
  static MultiLayerNetwork hidden(IUpdater updater, Activation activation) {
    return new MultiLayerNetwork(
        new NeuralNetConfiguration.Builder()
            .seed(7)
            .updater(updater)
            .list()
            .layer(new DenseLayer.Builder().nIn(INPUTS).nOut(5).activation(activation).build())
            .layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(5)
                    .nOut(CLASSES)
                    .activation(Activation.SOFTMAX)
                    .build())
            .build());
  }

  /** Two equal layers, whose updater state DL4J keeps in one block. */
  static MultiLayerNetwork plain() {
    return solvedBy(OptimizationAlgorithm.STOCHASTIC_GRADIENT_DESCENT);
  }

  static MultiLayerNetwork solvedBy(OptimizationAlgorithm algorithm) {
    return new MultiLayerNetwork(
        new NeuralNetConfiguration.Builder()
            .seed(7)
            .optimizationAlgo(algorithm)
            .updater(new Adam(0.02))
            .list()
            .layer(
                new DenseLayer.Builder()
                    .nIn(INPUTS)
                    .nOut(5)
                    .activation(Activation.TANH)
                    .dropOut(0.8)
                    .build())
            .layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(5)
                    .nOut(CLASSES)
                    .activation(Activation.SOFTMAX)
                    .build())
            .build());
  }

  /** Trains each minibatch in several parts, with a call of the listeners after each. */
  static MultiLayerNetwork truncatedBackpropagation() {
    return new MultiLayerNetwork(
        new NeuralNetConfiguration.Builder()
            .seed(7)
            .updater(new Adam(0.01))
            .list()
            .layer(new LSTM.Builder().nIn(INPUTS).nOut(5).activation(Activation.TANH).build())
            .layer(
                new RnnOutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(5)
                    .nOut(CLASSES)
                    .activation(Activation.SOFTMAX)
                    .build())
            .backpropType(BackpropType.TruncatedBPTT)
            .tBPTTForwardLength(4)
            .tBPTTBackwardLength(4)
            .build());
  }

  /** Two inputs, whose features are normalised and dropped, merged, and constrained. */
  static ComputationGraph twoInputs(IUpdater updater) {
    return new ComputationGraph(
        new NeuralNetConfiguration.Builder()
            .seed(7)
            .updater(updater)
            .weightInit(WeightInit.XAVIER)
            .constrainWeights(new MaxNormConstraint(0.6, 1))
            .graphBuilder()
            .addInputs("left", "right")
            .addLayer(
                "one",
                new DenseLayer.Builder().nIn(INPUTS).nOut(5).dropOut(fading()).build(),
                "left")
            .addLayer("norm", new BatchNormalization.Builder().nIn(5).nOut(5).build(), "one")
            .addLayer(
                "two",
                new DenseLayer.Builder().nIn(INPUTS).nOut(5).activation(Activation.TANH).build(),
                "right")
            .addVertex("both", new MergeVertex(), "norm", "two")
            .addLayer("out", output(10), "both")
            .setOutputs("out")
            .build());
  }

  public static ComputationGraph graph() {
    return twoInputs(new Adam(new ExponentialSchedule(ScheduleType.EPOCH, 0.02, 0.9)));
  }

  /** One input, with two equal layers, whose updater state DL4J keeps in one block. */
  static ComputationGraph plainGraph() {
    return new ComputationGraph(
        new NeuralNetConfiguration.Builder()
            .seed(7)
            .updater(new Adam(0.02))
            .graphBuilder()
            .addInputs("in")
            .addLayer(
                "hidden",
                new DenseLayer.Builder()
                    .nIn(INPUTS)
                    .nOut(5)
                    .activation(Activation.TANH)
                    .dropOut(0.8)
                    .build(),
                "in")
            .addLayer("out", output(5), "hidden")
            .setOutputs("out")
            .build());
  }

  /** A bidirectional layer, whose two inner ones have a constraint that binds. */
  static MultiLayerNetwork bidirectional() {
    LSTM inner =
        new LSTM.Builder()
            .nIn(INPUTS)
            .nOut(5)
            .activation(Activation.TANH)
            .dataFormat(RNNFormat.NCW)
            .constrainWeights(new MaxNormConstraint(0.6, 1))
            .build();
    return new MultiLayerNetwork(
        new NeuralNetConfiguration.Builder()
            .seed(7)
            .updater(new Adam(0.02))
            .list()
            .layer(new Bidirectional(inner))
            .layer(
                new RnnOutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(10)
                    .nOut(CLASSES)
                    .activation(Activation.SOFTMAX)
                    .dataFormat(RNNFormat.NCW)
                    .build())
            .build());
  }

  /** A layer that stays as it is, before one that trains. */
  static MultiLayerNetwork frozen() {
    return new MultiLayerNetwork(
        new NeuralNetConfiguration.Builder()
            .seed(7)
            .updater(new Adam(0.02))
            .list()
            .layer(
                new FrozenLayer(
                    new DenseLayer.Builder()
                        .nIn(INPUTS)
                        .nOut(5)
                        .activation(Activation.TANH)
                        .build()))
            .layer(output(5))
            .build());
  }

  private static OutputLayer output(int width) {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nIn(width)
        .nOut(CLASSES)
        .activation(Activation.SOFTMAX)
        .build();
  }

  /** A graph that trains each minibatch in parts; the wrapper hides its layer from DL4J's reset. */
  static ComputationGraph wrappedRecurrent() {
    return new ComputationGraph(
        new NeuralNetConfiguration.Builder()
            .seed(7)
            .updater(new Adam(0.01))
            .graphBuilder()
            .addInputs("in")
            .addLayer(
                "lstm",
                new FrozenLayer(
                    new LSTM.Builder()
                        .nIn(INPUTS)
                        .nOut(5)
                        .activation(Activation.TANH)
                        .dataFormat(RNNFormat.NCW)
                        .build()),
                "in")
            .addLayer(
                "out",
                new RnnOutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(5)
                    .nOut(CLASSES)
                    .activation(Activation.SOFTMAX)
                    .dataFormat(RNNFormat.NCW)
                    .build(),
                "lstm")
            .setOutputs("out")
            .backpropType(BackpropType.TruncatedBPTT)
            .tBPTTForwardLength(4)
            .tBPTTBackwardLength(4)
            .build());
  }
}
