package io.cairn.dl4j;

import java.util.Arrays;
import java.util.Locale;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.graph.ComputationGraph;

/** Refuses networks that {@link VirtualRanks} cannot train. Stateless. */
final class VirtualNetworks {
  private VirtualNetworks() {}

  /**
   * Checks a network.
   *
   * @throws IllegalArgumentException naming the reason and the remedy
   */
  static void require(TrainedModel model) {
    if (model.truncatesBackpropagation()) {
      throw refused(
          "truncated backpropagation through time carries activations from part to part, for which"
              + " a virtual rank has no place; use standard backpropagation");
    }
    if (model.network() instanceof ComputationGraph graph
        && (graph.getNumInputArrays() != 1 || graph.getNumOutputArrays() != 1)) {
      throw refused(
          String.format(
              Locale.ROOT,
              "a ComputationGraph with %d inputs and %d outputs; only one of each can be trained",
              graph.getNumInputArrays(),
              graph.getNumOutputArrays()));
    }
    if (Arrays.stream(model.layers()).anyMatch(VirtualNetworks::hasStepFunction)) {
      throw refused("a step function of its own; leave stepFunction unset");
    }
  }

  private static boolean hasStepFunction(Layer layer) {
    return layer.conf().getStepFunction() != null;
  }

  private static IllegalArgumentException refused(String reason) {
    return new IllegalArgumentException("virtual ranks cannot train this network: " + reason);
  }
}
