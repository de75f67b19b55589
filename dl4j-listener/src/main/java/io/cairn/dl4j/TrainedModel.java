package io.cairn.dl4j;

import java.util.function.ToDoubleFunction;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.api.Updater;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The network that a training protects: its flat memory, its configuration and its counters. The
 * one class that knows the kind of network; the others see parameters and updater state. Not
 * thread-safe: the training thread owns it.
 */
final class TrainedModel {
  private final MultiLayerNetwork network;

  /**
   * Takes a network, and initialises it if that was not done.
   *
   * @throws IllegalArgumentException if a checkpoint cannot hold the state of its solver
   */
  TrainedModel(MultiLayerNetwork network) {
    this.network = network;
    network.init();
    // a restore fills the updater's state, so the updater must exist by then
    network.getUpdater();
    network.getLayerWiseConfigurations().getConfs().forEach(TrainedModel::requireGradientDescent);
  }

  private static void requireGradientDescent(NeuralNetConfiguration layer) {
    OptimizationAlgorithm algorithm = layer.getOptimizationAlgo();
    if (algorithm != OptimizationAlgorithm.STOCHASTIC_GRADIENT_DESCENT) {
      throw new IllegalArgumentException(
          "the network trains with "
              + algorithm
              + ", a line-search solver whose history no checkpoint holds, so no training can"
              + " resume exactly: use STOCHASTIC_GRADIENT_DESCENT");
    }
  }

  /** Whether {@code model} is this network. */
  boolean is(Model model) {
    return model == network;
  }

  /** The network's score by a function of the user. */
  double score(ToDoubleFunction<? super MultiLayerNetwork> by) {
    return by.applyAsDouble(network);
  }

  /** The parameters, in one flat buffer. */
  INDArray parameters() {
    return network.params();
  }

  /** The updater's state, flat too; null for updaters without state, such as plain SGD. */
  @Nullable INDArray updaterState() {
    Updater updater = updater();
    INDArray state = updater == null ? null : updater.getStateViewArray();
    return state == null || state.isEmpty() ? null : state;
  }

  /** The updater, another one after each change of a learning rate; null after {@code clear()}. */
  @Nullable Updater updater() {
    return network.getUpdater(false);
  }

  /** The network's configuration as JSON, with counters of 0. Takes milliseconds. */
  String configuration() {
    MultiLayerConfiguration copy = network.getLayerWiseConfigurations().clone();
    copy.setIterationCount(0);
    copy.setEpochCount(0);
    for (NeuralNetConfiguration layer : copy.getConfs()) {
      layer.setIterationCount(0);
      layer.setEpochCount(0);
    }
    return copy.toJson();
  }

  /**
   * Gives each layer the updater of a configuration, with its learning rate or schedule. The
   * updater's state moves and keeps its bytes: DL4J orders them by the configuration, and they were
   * captured under this one.
   */
  void reconfigure(String configuration) {
    MultiLayerConfiguration wanted = MultiLayerConfiguration.fromJson(configuration);
    for (Layer layer : network.getLayers()) {
      if (layer.conf().getLayer() instanceof BaseLayer own
          && wanted.getConf(layer.getIndex()).getLayer() instanceof BaseLayer other) {
        own.setIUpdater(other.getIUpdater());
        own.setBiasUpdater(other.getBiasUpdater());
      }
    }
    INDArray state = updaterState();
    network.setUpdater(null);
    Updater updater = network.getUpdater();
    if (state != null) {
      updater.getStateViewArray().assign(state);
    }
  }

  /** Sets counters and applies constraints as DL4J does after the iteration of {@code state}. */
  void resumeFrom(TrainingState state) {
    // DL4J sets the layers' own counters before each forward pass
    network.setIterationCount(state.iteration() + 1);
    network.setEpochCount(state.epoch());
    if (state.constraintsDue()) {
      network.applyConstraints(state.iteration() + 1, state.epoch());
    }
  }
}
