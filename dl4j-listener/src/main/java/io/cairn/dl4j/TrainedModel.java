package io.cairn.dl4j;

import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.Updater;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The network that a training protects: its flat memory and its counters. The one class that knows
 * the kind of network; the others see parameters and updater state. Not thread-safe: the training
 * thread owns it.
 */
final class TrainedModel {
  private final MultiLayerNetwork network;

  /** Takes a network, and initialises it if that was not done. */
  TrainedModel(MultiLayerNetwork network) {
    this.network = network;
    network.init();
    // a restore fills the updater's state, so the updater must exist by then
    network.getUpdater();
  }

  /** Whether {@code model} is this network. */
  boolean is(Model model) {
    return model == network;
  }

  /** The parameters, in one flat buffer whose address stays while the network trains. */
  INDArray parameters() {
    return network.params();
  }

  /** The updater's state, flat too; null for updaters without state, such as plain SGD. */
  @Nullable INDArray updaterState() {
    Updater updater = network.getUpdater(false);
    INDArray state = updater == null ? null : updater.getStateViewArray();
    return state == null || state.isEmpty() ? null : state;
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
