package io.cairn.examples.digits;

import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/**
 * A small convolutional network for the digits: two convolutions with batch normalisation between,
 * pooling, a dense layer with dropout; trained by Adam. Its state, parameters and Adam's moments,
 * is 862 kB.
 */
public final class DigitsNetwork {
  private DigitsNetwork() {}

  /** A fresh, initialised network; the seed decides its weights and its dropout. */
  public static MultiLayerNetwork create(long seed) {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(seed)
                .updater(new Adam(2e-3))
                .weightInit(WeightInit.RELU)
                .activation(Activation.RELU)
                .convolutionMode(ConvolutionMode.Same)
                .list()
                .layer(convolution(16))
                .layer(new BatchNormalization())
                .layer(convolution(32))
                .layer(new SubsamplingLayer.Builder().kernelSize(2, 2).stride(2, 2).build())
                .layer(new DenseLayer.Builder().nOut(128).dropOut(0.7).build())
                .layer(
                    new OutputLayer.Builder(LossFunction.MCXENT)
                        .nOut(DigitsData.CLASSES)
                        .activation(Activation.SOFTMAX)
                        .build())
                .setInputType(InputType.convolutional(DigitsData.SIDE, DigitsData.SIDE, 1))
                .build());
    network.init();
    return network;
  }

  private static ConvolutionLayer convolution(int channels) {
    return new ConvolutionLayer.Builder(3, 3).nOut(channels).build();
  }
}
