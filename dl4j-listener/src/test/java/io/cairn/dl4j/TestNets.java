package io.cairn.dl4j;

import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.constraint.MaxNormConstraint;
import org.deeplearning4j.nn.conf.dropout.Dropout;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** Tiny networks that have what makes exact resumption hard. */
final class TestNets {
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

  static MultiLayerNetwork adam() {
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
}
