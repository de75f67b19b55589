package io.cairn.dl4j;

import java.util.Arrays;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.NeuralNetwork;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.layers.ocnn.OCNNOutputLayer;
import org.deeplearning4j.optimize.api.ConvexOptimizer;
import org.jspecify.annotations.Nullable;

/** Refuses networks whose training keeps state that no checkpoint can hold. Stateless. */
final class Resumable {
  private Resumable() {}

  /**
   * Checks a network.
   *
   * @throws IllegalArgumentException naming the state and the remedy, if a checkpoint cannot hold
   *     it
   */
  static void require(TrainedModel model) {
    Arrays.stream(model.layers()).forEach(Resumable::requireLayer);
    requireOwnGradients(model.network());
  }

  private static void requireLayer(Layer layer) {
    OptimizationAlgorithm algorithm = layer.conf().getOptimizationAlgo();
    if (algorithm != OptimizationAlgorithm.STOCHASTIC_GRADIENT_DESCENT) {
      throw new IllegalArgumentException(
          "the network trains with "
              + algorithm
              + ", a line-search solver whose history no checkpoint holds, so no training can"
              + " resume exactly: use STOCHASTIC_GRADIENT_DESCENT");
    }
    if (layer instanceof OCNNOutputLayer) {
      throw new IllegalArgumentException(
          "layer "
              + layer.conf().getLayer().getLayerName()
              + " is an OCNNOutputLayer, which keeps a window of scores in private memory, so no"
              + " training can resume exactly: use another output layer");
    }
  }

  private static void requireOwnGradients(NeuralNetwork network) {
    @Nullable ConvexOptimizer optimizer = network.getOptimizer();
    if (optimizer != null && optimizer.getGradientsAccumulator() != null) {
      throw new IllegalArgumentException(
          "the network has a "
              + optimizer.getGradientsAccumulator().getClass().getSimpleName()
              + ", whose residual gradients no checkpoint holds, so no training can resume exactly:"
              + " train without shared gradients");
    }
  }
}
