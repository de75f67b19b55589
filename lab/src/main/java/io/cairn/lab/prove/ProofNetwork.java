package io.cairn.lab.prove;

import io.cairn.Checkpointer;
import io.cairn.dl4j.CairnTraining;
import java.util.function.Function;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.NeuralNetwork;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.learning.config.IUpdater;

/** Tiny networks, each with another part of what makes exact resumption hard. */
enum ProofNetwork {
  DENSE("dense", ProofConfigurations::dense, ProofData.Kind.FLAT, 1),
  CONVOLUTION(
      "convolution, batch norm, dropout",
      ProofConfigurations::convolution,
      ProofData.Kind.IMAGES,
      1),
  LSTM("LSTM, truncated, masked", ProofConfigurations::recurrent, ProofData.Kind.SERIES, 3),
  GRAPH("graph of two inputs", ProofConfigurations::twoInputs, ProofData.Kind.TWO_INPUTS, 1),
  FROZEN(
      "graph, truncated, frozen LSTM",
      ProofConfigurations::frozenRecurrent,
      ProofData.Kind.SERIES,
      3),
  CONSTRAINED(
      "constraints, frozen layer", ProofConfigurations::constrained, ProofData.Kind.FLAT, 1);

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // a method reference or a lambda without state
  private final Function<IUpdater, Model> made;

  private final ProofData.Kind data;
  private final int parts;

  ProofNetwork(
      String label, Function<IUpdater, Model> made, ProofData.Kind data, int partsOfMinibatch) {
    this.label = label;
    this.made = made;
    this.data = data;
    this.parts = partsOfMinibatch;
  }

  /** For a table. */
  String label() {
    return label;
  }

  /** A network like all others of this kind, initialised. */
  Model create(ProofUpdater updater) {
    Model network = made.apply(updater.create());
    network(network).init();
    return network;
  }

  /** Data like all others of this kind, at their beginning. */
  ProofData data() {
    return new ProofData(data);
  }

  /** DL4J's iterations per minibatch; several with truncated backpropagation through time. */
  int parts() {
    return parts;
  }

  /** Trains as DL4J alone does. */
  static void fitPlainly(Model model, ProofData data, int epochs) {
    if (model instanceof MultiLayerNetwork layers) {
      layers.fit(data.pairs(), epochs);
    } else {
      ((ComputationGraph) model).fit(data, epochs);
    }
  }

  /** Resumes with an iterator of the usual kind for the model. */
  static CairnTraining resume(Model model, ProofData data, Checkpointer checkpointer) {
    return model instanceof MultiLayerNetwork
        ? CairnTraining.resume(model, data.pairs(), checkpointer)
        : CairnTraining.resume(model, data, checkpointer);
  }

  private static NeuralNetwork network(Model model) {
    return (NeuralNetwork) model;
  }
}
