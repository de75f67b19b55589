package io.cairn.dl4j;

import java.util.Collection;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.Updater;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.graph.LayerVertex;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * A {@code ComputationGraph}. Not thread-safe.
 *
 * @param network initialised by {@link TrainedModel#of}
 */
record TrainedGraph(ComputationGraph network) implements TrainedModel {
  @Override
  public ComputationGraph model() {
    return network;
  }

  @Override
  public Layer[] layers() {
    return network.getLayers();
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
        TrainedModel.clearCounters(layer.getLayerConf());
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
