package io.cairn.lab.prove;

import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.constraint.MaxNormConstraint;
import org.deeplearning4j.nn.conf.constraint.NonNegativeConstraint;
import org.deeplearning4j.nn.conf.dropout.Dropout;
import org.deeplearning4j.nn.conf.dropout.GaussianNoise;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.layers.misc.FrozenLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** The configurations of {@link ProofNetwork}. Stateless. */
final class ProofConfigurations {
  /** The vertex of a recurrent layer whose activations DL4J does not clear. */
  static final String FROZEN = "lstm";

  private static final long SEED = 7;
  private static final int WIDTH = 5;
  private static final int PART = 4;

  private ProofConfigurations() {}

  private static NeuralNetConfiguration.Builder builder(IUpdater updater) {
    return new NeuralNetConfiguration.Builder().seed(SEED).updater(updater);
  }

  private static DenseLayer.Builder hidden(int inputs) {
    return new DenseLayer.Builder().nIn(inputs).nOut(WIDTH).activation(Activation.TANH);
  }

  private static OutputLayer output(int inputs) {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nIn(inputs)
        .nOut(ProofData.CLASSES)
        .activation(Activation.SOFTMAX)
        .build();
  }

  private static RnnOutputLayer recurrentOutput() {
    return new RnnOutputLayer.Builder(LossFunction.MCXENT)
        .nIn(WIDTH)
        .nOut(ProofData.CLASSES)
        .activation(Activation.SOFTMAX)
        .dataFormat(RNNFormat.NCW)
        .build();
  }

  private static LSTM lstm() {
    return new LSTM.Builder()
        .nIn(ProofData.INPUTS)
        .nOut(WIDTH)
        .activation(Activation.TANH)
        .dataFormat(RNNFormat.NCW)
        .build();
  }

  /** Weight decay, and dropout whose rate follows the layers' own iteration counters. */
  static MultiLayerNetwork dense(IUpdater updater) {
    Dropout fading = new Dropout(new ExponentialSchedule(ScheduleType.ITERATION, 0.9, 0.98));
    return new MultiLayerNetwork(
        builder(updater)
            .l2(1e-3)
            .list()
            .layer(hidden(ProofData.INPUTS).dropOut(fading).build())
            .layer(hidden(WIDTH).build())
            .layer(output(WIDTH))
            .build());
  }

  static MultiLayerNetwork convolution(IUpdater updater) {
    return new MultiLayerNetwork(
        builder(updater)
            .list()
            .layer(
                new ConvolutionLayer.Builder(3, 3).nOut(3).activation(Activation.IDENTITY).build())
            .layer(new BatchNormalization.Builder().build())
            .layer(
                new DenseLayer.Builder()
                    .nOut(WIDTH)
                    .activation(Activation.RELU)
                    .dropOut(0.7)
                    .build())
            .layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nOut(ProofData.CLASSES)
                    .activation(Activation.SOFTMAX)
                    .build())
            .setInputType(InputType.convolutional(ProofData.SIDE, ProofData.SIDE, 1))
            .build());
  }

  static MultiLayerNetwork recurrent(IUpdater updater) {
    return new MultiLayerNetwork(
        builder(updater)
            .list()
            .layer(lstm())
            .layer(recurrentOutput())
            .backpropType(BackpropType.TruncatedBPTT)
            .tBPTTForwardLength(PART)
            .tBPTTBackwardLength(PART)
            .build());
  }

  static ComputationGraph twoInputs(IUpdater updater) {
    return new ComputationGraph(
        builder(updater)
            .graphBuilder()
            .addInputs("left", "right")
            .addLayer(
                "one", hidden(ProofData.INPUTS).dropOut(new GaussianNoise(0.1)).build(), "left")
            .addLayer(
                "norm", new BatchNormalization.Builder().nIn(WIDTH).nOut(WIDTH).build(), "one")
            .addLayer("two", hidden(ProofData.INPUTS).dropOut(0.8).build(), "right")
            .addVertex("both", new MergeVertex(), "norm", "two")
            .addLayer("out", output(2 * WIDTH), "both")
            .setOutputs("out")
            .build());
  }

  /** The frozen layer's parameters stay, and the activations that it carries do not. */
  static ComputationGraph frozenRecurrent(IUpdater updater) {
    return new ComputationGraph(
        builder(updater)
            .graphBuilder()
            .addInputs("in")
            .addLayer(FROZEN, new FrozenLayer(lstm()), "in")
            .addLayer("out", recurrentOutput(), FROZEN)
            .setOutputs("out")
            .backpropType(BackpropType.TruncatedBPTT)
            .tBPTTForwardLength(PART)
            .tBPTTBackwardLength(PART)
            .build());
  }

  /** Constraints that bind at every iteration, and a frozen layer beside them. */
  static MultiLayerNetwork constrained(IUpdater updater) {
    return new MultiLayerNetwork(
        builder(updater)
            .constrainWeights(new MaxNormConstraint(0.6, 1))
            .constrainBias(new NonNegativeConstraint())
            .list()
            .layer(new FrozenLayer(hidden(ProofData.INPUTS).build()))
            .layer(hidden(WIDTH).build())
            .layer(output(WIDTH))
            .build());
  }
}
