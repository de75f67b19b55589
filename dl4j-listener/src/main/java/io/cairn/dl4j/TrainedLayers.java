package io.cairn.dl4j;

import java.util.Collection;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.Updater;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * A {@code MultiLayerNetwork}. Not thread-safe.
 *
 * @param network initialised by {@link TrainedModel#of}
 */
record TrainedLayers(MultiLayerNetwork network) implements TrainedModel {
  @Override
  public MultiLayerNetwork model() {
    return network;
  }

  @Override
  public Layer[] layers() {
    return network.getLayers();
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
