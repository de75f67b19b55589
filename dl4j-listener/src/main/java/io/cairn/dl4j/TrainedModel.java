package io.cairn.dl4j;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.NeuralNetwork;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.api.Trainable;
import org.deeplearning4j.nn.api.Updater;
import org.deeplearning4j.nn.api.layers.RecurrentLayer;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.graph.LayerVertex;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.misc.FrozenLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.layers.ocnn.OCNNOutputLayer;
import org.deeplearning4j.nn.layers.wrapper.BaseWrapperLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.ConvexOptimizer;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.shade.jackson.databind.JsonNode;

/**
 * The network that a training protects: its flat memory, its configuration and its counters. Its
 * two cases are the only classes that know the kind of network. Not thread-safe: the training
 * thread owns it.
 */
sealed interface TrainedModel {
  /**
   * Takes a network, and initialises it if that was not done.
   *
   * @throws IllegalArgumentException if it is of another kind, or a checkpoint cannot hold the
   *     state of its training; the message names the reason
   */
  static TrainedModel of(Model model) {
    if (model instanceof MultiLayerNetwork network) {
      return started(new Layers(network));
    } else if (model instanceof ComputationGraph graph) {
      return started(new Graph(graph));
    }
    throw new IllegalArgumentException(
        "a "
            + model.getClass().getSimpleName()
            + ": only a MultiLayerNetwork or a ComputationGraph can be captured");
  }

  /** Whether a model is a network of a kind that can be captured. */
  static boolean isNetwork(Model model) {
    return model instanceof MultiLayerNetwork || model instanceof ComputationGraph;
  }

  private static TrainedModel started(TrainedModel taken) {
    taken.network().init();
    // a restore fills the updater's state, so the updater must exist by then
    taken.newestUpdater();
    Arrays.stream(taken.layers()).forEach(TrainedModel::requireResumable);
    requireOwnGradients(taken.network());
    return taken;
  }

  /** Refuses layers whose training keeps state that no checkpoint can hold. */
  private static void requireResumable(Layer layer) {
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

  /** The network as a whole. */
  NeuralNetwork network();

  /** The network as DL4J's listeners receive it. */
  default Model model() {
    return (Model) network();
  }

  /** Its layers; wrappers as they are. */
  Layer[] layers();

  /** The parts that may have parameters: the layers, and a graph's other vertices. */
  Stream<Trainable> trained();

  /** The features of the minibatch that was trained last; null where DL4J kept none. */
  @Nullable INDArray[] inputs();

  /** Whether DL4J trains each minibatch in several parts, and calls listeners after each. */
  boolean truncatesBackpropagation();

  /** The updater, another one after each change of a learning rate; null after {@code clear()}. */
  @Nullable Updater updater();

  /** The updater; DL4J makes one if there is none. */
  Updater newestUpdater();

  /** Drops the updater, and returns the one that DL4J makes from the configuration. */
  Updater renewedUpdater();

  /** The network's configuration as JSON, with counters of 0. Takes milliseconds. */
  String configuration();

  /** Finds the layer of a configuration that belongs to a layer of this network. */
  Counterparts layersOf(String configuration);

  /** The number of completed iterations. */
  int iterations();

  /** The number of completed epochs. */
  int epochs();

  /** The listeners, in their order. */
  Collection<TrainingListener> listeners();

  /** Replaces the listeners. */
  default void setListeners(Collection<TrainingListener> listeners) {
    model().setListeners(listeners);
  }

  /** Sets both counters. */
  void setCounters(int iterations, int epochs);

  /** A layer's counterpart in another configuration; null if there is none. */
  @FunctionalInterface
  interface Counterparts {
    org.deeplearning4j.nn.conf.layers.@Nullable Layer of(Layer layer);
  }

  /** Whether {@code other} is this network. */
  default boolean is(Model other) {
    return other == model();
  }

  /** The parameters, in one flat buffer. */
  default INDArray parameters() {
    return model().params();
  }

  /** The updater's state, flat too; null for updaters without state, such as plain SGD. */
  default @Nullable INDArray updaterState() {
    Updater updater = updater();
    INDArray state = updater == null ? null : updater.getStateViewArray();
    return state == null || state.isEmpty() ? null : state;
  }

  /**
   * The recurrent layers in the order of all layers, without their wrappers. Only truncated
   * backpropagation reads what they carry, so the list is empty without it.
   */
  default List<RecurrentLayer> recurrentLayers() {
    if (!truncatesBackpropagation()) {
      return List.of();
    }
    return Arrays.stream(layers())
        .map(TrainedModel::unwrapped)
        .flatMap(layer -> layer instanceof RecurrentLayer own ? Stream.of(own) : Stream.empty())
        .toList();
  }

  /** Whether DL4J changes the parameters once more after each update. */
  default boolean hasConstraints() {
    // layers that hold others keep their constraints at any depth
    return Arrays.stream(layers())
        .flatMap(layer -> constraintsIn(layer.conf().getLayer()))
        .anyMatch(constraints -> constraints.size() > 0);
  }

  private static Stream<JsonNode> constraintsIn(
      org.deeplearning4j.nn.conf.layers.Layer configuration) {
    JsonNode layer = NeuralNetConfiguration.mapper().valueToTree(configuration);
    return layer.findValues("constraints").stream();
  }

  /** Removes one of its listeners. */
  default void remove(TrainingListener listener) {
    List<TrainingListener> left = new ArrayList<>(listeners());
    left.remove(listener);
    setListeners(left);
  }

  /** Adds a listener before the others. */
  default void addFirst(TrainingListener listener) {
    List<TrainingListener> all = new ArrayList<>(listeners());
    all.add(0, listener);
    setListeners(all);
  }

  /** The configuration that a wrapper's running layer shows as its own. */
  static org.deeplearning4j.nn.conf.layers.Layer unwrapped(
      org.deeplearning4j.nn.conf.layers.Layer layer) {
    if (layer instanceof org.deeplearning4j.nn.conf.layers.wrapper.BaseWrapperLayer wrapper) {
      return unwrapped(wrapper.getUnderlying());
    }
    return layer instanceof FrozenLayer frozen ? unwrapped(frozen.getLayer()) : layer;
  }

  private static Layer unwrapped(Layer layer) {
    Layer inner = layer;
    while (inner instanceof BaseWrapperLayer wrapper) {
      inner = wrapper.getUnderlying();
    }
    return inner;
  }

  /**
   * Gives each layer the updater of a configuration, with its learning rate or schedule. The
   * updater's state moves and keeps its bytes: DL4J orders them by the configuration, and they were
   * captured under this one.
   */
  default void reconfigure(String configuration) {
    Counterparts wanted = layersOf(configuration);
    for (Layer layer : layers()) {
      org.deeplearning4j.nn.conf.layers.Layer counterpart = wanted.of(layer);
      if (layer.conf().getLayer() instanceof BaseLayer own
          && counterpart != null
          && unwrapped(counterpart) instanceof BaseLayer other) {
        own.setIUpdater(other.getIUpdater());
        own.setBiasUpdater(other.getBiasUpdater());
      }
    }
    renewUpdater();
  }

  /** Makes the updater anew from the layers' configurations; its state keeps its bytes. */
  private void renewUpdater() {
    INDArray state = updaterState();
    Updater renewed = renewedUpdater();
    if (state != null) {
      renewed.getStateViewArray().assign(state);
    }
  }

  /** Why {@link #multiplyRates} cannot change each learning rate; empty if it can. */
  default Optional<String> fixedRate() {
    Stream<String> scheduled =
        updatedLayers()
            .filter(
                layer ->
                    isScheduled(layer.getIUpdater())
                        || (layer.getBiasUpdater() != null && isScheduled(layer.getBiasUpdater())))
            .map(layer -> "the rate of layer " + layer.getLayerName() + " follows a schedule");
    Stream<String> unreached =
        trained()
            .filter(TrainedModel::hasRate)
            .map(Trainable::getConfig)
            .filter(part -> !(part instanceof BaseLayer))
            .map(
                part ->
                    "layer %s is a %s, whose rate DL4J does not change"
                        .formatted(part.getLayerName(), part.getClass().getSimpleName()));
    return Stream.concat(scheduled, unreached).findFirst();
  }

  private static boolean hasRate(Trainable part) {
    return part.numParams() > 0
        && part.paramTable(false).keySet().stream()
            .anyMatch(name -> part.getConfig().getUpdaterByParam(name).hasLearningRate());
  }

  private static boolean isScheduled(IUpdater updater) {
    // no method of all updaters tells
    return NeuralNetConfiguration.mapper().valueToTree(updater).hasNonNull("learningRateSchedule");
  }

  /** Multiplies every learning rate, none of which is {@linkplain #fixedRate fixed}. */
  default void multiplyRates(double factor) {
    updatedLayers()
        .forEach(
            layer -> {
              layer.setIUpdater(slower(layer.getIUpdater(), factor));
              if (layer.getBiasUpdater() != null) {
                layer.setBiasUpdater(slower(layer.getBiasUpdater(), factor));
              }
            });
    renewUpdater();
  }

  private static IUpdater slower(IUpdater updater, double factor) {
    IUpdater slower = updater.clone();
    if (slower.hasLearningRate()) {
      slower.setLrAndSchedule(factor * updater.getLearningRate(0, 0), null);
    }
    return slower;
  }

  private Stream<BaseLayer> updatedLayers() {
    return Arrays.stream(layers())
        .flatMap(layer -> layer.conf().getLayer() instanceof BaseLayer own ? Stream.of(own) : null)
        .filter(layer -> layer.getIUpdater() != null);
  }

  /** Sets counters and applies constraints as DL4J does after the iteration of {@code state}. */
  default void resumeFrom(TrainingState state) {
    // DL4J sets the layers' own counters before each forward pass
    setCounters(state.iterations(), state.epoch());
    if (state.constraintsDue()) {
      model().applyConstraints(state.iterations(), state.epoch());
    }
  }

  /** A layer's configuration without counters, which are no part of what the program built. */
  static void clearCounters(NeuralNetConfiguration layer) {
    layer.setIterationCount(0);
    layer.setEpochCount(0);
  }

  /** A {@code MultiLayerNetwork}. */
  record Layers(MultiLayerNetwork network) implements TrainedModel {
    @Override
    public Layer[] layers() {
      return network.getLayers();
    }

    @Override
    public Stream<Trainable> trained() {
      return Stream.of(layers());
    }

    @Override
    public @Nullable INDArray[] inputs() {
      return new @Nullable INDArray[] {network.getInput()};
    }

    @Override
    public boolean truncatesBackpropagation() {
      return network.getLayerWiseConfigurations().getBackpropType() == BackpropType.TruncatedBPTT;
    }

    @Override
    public @Nullable Updater updater() {
      return network.getUpdater(false);
    }

    @Override
    public Updater newestUpdater() {
      return network.getUpdater();
    }

    @Override
    public Updater renewedUpdater() {
      network.setUpdater(null);
      return network.getUpdater();
    }

    @Override
    public String configuration() {
      MultiLayerConfiguration copy = network.getLayerWiseConfigurations().clone();
      copy.setIterationCount(0);
      copy.setEpochCount(0);
      copy.getConfs().forEach(TrainedModel::clearCounters);
      return copy.toJson();
    }

    @Override
    public Counterparts layersOf(String configuration) {
      MultiLayerConfiguration wanted = MultiLayerConfiguration.fromJson(configuration);
      return layer -> wanted.getConf(layer.getIndex()).getLayer();
    }

    @Override
    public int iterations() {
      return network.getIterationCount();
    }

    @Override
    public int epochs() {
      return network.getEpochCount();
    }

    @Override
    public void setCounters(int iterations, int epochs) {
      network.setIterationCount(iterations);
      network.setEpochCount(epochs);
    }

    @Override
    public Collection<TrainingListener> listeners() {
      return network.getListeners();
    }
  }

  /** A {@code ComputationGraph}. */
  record Graph(ComputationGraph network) implements TrainedModel {
    @Override
    public Layer[] layers() {
      return network.getLayers();
    }

    @Override
    public Stream<Trainable> trained() {
      return Stream.of(network.getVertices());
    }

    @Override
    public @Nullable INDArray[] inputs() {
      return network.getInputs();
    }

    @Override
    public boolean truncatesBackpropagation() {
      return network.getConfiguration().getBackpropType() == BackpropType.TruncatedBPTT;
    }

    @Override
    public @Nullable Updater updater() {
      return network.getUpdater(false);
    }

    @Override
    public Updater newestUpdater() {
      return network.getUpdater();
    }

    @Override
    public Updater renewedUpdater() {
      network.setUpdater(null);
      return network.getUpdater();
    }

    @Override
    public String configuration() {
      ComputationGraphConfiguration copy = network.getConfiguration().clone();
      copy.setIterationCount(0);
      copy.setEpochCount(0);
      for (GraphVertex vertex : copy.getVertices().values()) {
        if (vertex instanceof LayerVertex layer) {
          clearCounters(layer.getLayerConf());
        }
      }
      return copy.toJson();
    }

    @Override
    public Counterparts layersOf(String configuration) {
      ComputationGraphConfiguration wanted = ComputationGraphConfiguration.fromJson(configuration);
      return layer ->
          wanted.getVertices().get(layer.conf().getLayer().getLayerName())
                  instanceof LayerVertex vertex
              ? vertex.getLayerConf().getLayer()
              : null;
    }

    @Override
    public int iterations() {
      return network.getIterationCount();
    }

    @Override
    public int epochs() {
      return network.getEpochCount();
    }

    @Override
    public void setCounters(int iterations, int epochs) {
      network.getConfiguration().setIterationCount(iterations);
      network.getConfiguration().setEpochCount(epochs);
    }

    @Override
    public Collection<TrainingListener> listeners() {
      return network.getListeners();
    }
  }
}
