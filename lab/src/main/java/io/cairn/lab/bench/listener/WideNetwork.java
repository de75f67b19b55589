package io.cairn.lab.bench.listener;

import java.util.List;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Dense networks with much state and little to compute, and data for them. */
public final class WideNetwork {
  private static final long SEED = 42;

  private WideNetwork() {}

  /** An initialised network with Adam. */
  public static MultiLayerNetwork create(List<Integer> widths) {
    NeuralNetConfiguration.ListBuilder layers =
        new NeuralNetConfiguration.Builder().seed(SEED).updater(new Adam(1e-4)).list();
    int last = widths.size() - 1;
    for (int k = 1; k < last; k++) {
      layers.layer(
          new DenseLayer.Builder()
              .nIn(widths.get(k - 1))
              .nOut(widths.get(k))
              .activation(Activation.RELU)
              .build());
    }
    layers.layer(
        new OutputLayer.Builder(LossFunction.MCXENT)
            .nIn(widths.get(last - 1))
            .nOut(widths.get(last))
            .activation(Activation.SOFTMAX)
            .build());
    MultiLayerNetwork network = new MultiLayerNetwork(layers.build());
    network.init();
    return network;
  }

  /** A random minibatch that fits the network. */
  public static DataSet minibatch(List<Integer> widths, int samples) {
    int classes = widths.get(widths.size() - 1);
    INDArray labels = Nd4j.zeros(samples, classes);
    for (int row = 0; row < samples; row++) {
      labels.putScalar(row, row % classes, 1);
    }
    return new DataSet(Nd4j.rand(samples, widths.get(0)), labels);
  }

  /** Bytes of parameters and updater state. */
  public static long stateBytes(MultiLayerNetwork network) {
    return (network.params().length() + network.getUpdater().getStateViewArray().length())
        * Float.BYTES;
  }
}
