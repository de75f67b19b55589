package io.cairn.lab.prove;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.NeuralNetwork;
import org.deeplearning4j.nn.api.layers.RecurrentLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.layers.wrapper.BaseWrapperLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A part of the state that a control leaves out of a restore. Right after the restore, the part
 * gets the value that it has in a process that trains afresh. Everything else stays restored.
 */
enum Omission {
  PARAMETERS(
      "parameters",
      ProofNetwork.DENSE,
      restored -> restored.model().params().assign(restored.fresh().params())),
  UPDATER_STATE(
      "updater state",
      ProofNetwork.DENSE,
      restored ->
          ((NeuralNetwork) restored.model())
              .updaterState()
              .assign(((NeuralNetwork) restored.fresh()).updaterState())),
  ITERATION_COUNTER(
      "iteration counter",
      ProofNetwork.DENSE,
      restored -> ((MultiLayerNetwork) restored.model()).setIterationCount(0)),
  EPOCH_COUNTER(
      "epoch counter",
      ProofNetwork.DENSE,
      restored -> ((MultiLayerNetwork) restored.model()).setEpochCount(0)),
  LEARNING_RATES("changed learning rates", ProofNetwork.DENSE, Omission::resetRates),
  GENERATOR("random generator", ProofNetwork.CONVOLUTION, Omission::reseedAtStart),
  POSITION(
      "position in the epoch", ProofNetwork.DENSE, restored -> restored.data().forgetPosition()),
  SHUFFLE("shuffle of the data", ProofNetwork.DENSE, restored -> restored.data().forgetOrder()),
  NORMALIZER(
      "statistics of the normaliser",
      ProofNetwork.DENSE,
      restored -> restored.data().pairs().setPreProcessor(ControlTraining.otherNormalizer())),
  BATCH_STATISTICS(
      "running statistics of batch norm", ProofNetwork.CONVOLUTION, Omission::resetStatistics),
  RECURRENT_STATE(
      "activations of a frozen LSTM", ProofNetwork.FROZEN, Omission::clearRecurrentState);

  private static final long FRESH_SEED = 99;

  private final String label;
  private final ProofNetwork network;

  @SuppressWarnings("ImmutableEnumChecker") // a method reference or a lambda without state
  private final Consumer<Restored> undo;

  Omission(String label, ProofNetwork network, Consumer<Restored> undo) {
    this.label = label;
    this.network = network;
    this.undo = undo;
  }

  /**
   * A training right after its restore.
   *
   * @param fresh a model that the same program has built, and nothing restored
   * @param data at the restored position
   */
  record Restored(ProofCase one, Model model, Model fresh, ProofData data) {}

  /** All of them. */
  static List<Omission> all() {
    return Arrays.asList(values());
  }

  /** For a table. */
  String label() {
    return label;
  }

  /** The network in whose training the part counts. */
  ProofCase trained() {
    return new ProofCase(network, ProofUpdater.ADAM);
  }

  /** Gives the part its value in a process that trains afresh. */
  void leaveOut(Restored restored) {
    undo.accept(restored);
  }

  private static void resetRates(Restored restored) {
    ((MultiLayerNetwork) restored.model()).setLearningRate(restored.one().updater().schedule());
  }

  /** The training restores the generator last, when it begins. */
  private static void reseedAtStart(Restored restored) {
    restored
        .model()
        .addListeners(
            new BaseTrainingListener() {
              private boolean begun;

              @Override
              public void onEpochStart(Model model) {
                if (!begun) {
                  begun = true;
                  Nd4j.getRandom().setSeed(FRESH_SEED);
                }
              }
            });
  }

  private static void resetStatistics(Restored restored) {
    restored.model().paramTable().entrySet().stream()
        .filter(named -> named.getKey().matches(".*_(mean|var|log10stdev)"))
        .forEach(named -> named.getValue().assign(restored.fresh().getParam(named.getKey())));
  }

  private static void clearRecurrentState(Restored restored) {
    Layer wrapper = ((ComputationGraph) restored.model()).getLayer(ProofConfigurations.FROZEN);
    ((RecurrentLayer) ((BaseWrapperLayer) wrapper).getUnderlying()).rnnClearPreviousState();
  }
}
