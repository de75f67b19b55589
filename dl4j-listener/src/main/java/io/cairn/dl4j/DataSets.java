package io.cairn.dl4j;

import java.util.List;
import org.deeplearning4j.nn.api.NeuralNetwork;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.preprocessor.Normalizer;

/** Minibatches of one input and one output. Not thread-safe. */
final class DataSets extends TrainingData<DataSet> {
  private final DataSetIterator source;

  DataSets(DataSetIterator source) {
    super(DataSetIterator.class, source);
    this.source = source;
  }

  @Override
  void resetSource() {
    source.reset();
  }

  @Override
  boolean resetSupported() {
    return source.resetSupported();
  }

  @Override
  @Nullable Object sourcePreProcessor() {
    return source.getPreProcessor();
  }

  @Override
  void setPreProcessor(Normalizer<?> normalizer) {
    source.setPreProcessor((DataSetPreProcessor) normalizer);
  }

  @Override
  @Nullable INDArray @Nullable [] features(DataSet minibatch) {
    return new @Nullable INDArray[] {minibatch.getFeatures()};
  }

  @Override
  @Nullable INDArray @Nullable [] labels(DataSet minibatch) {
    return new @Nullable INDArray[] {minibatch.getLabels()};
  }

  @Override
  void fitEpoch(NeuralNetwork network) {
    network.fit(new Epoch());
  }

  private final class Epoch extends RestOfEpoch implements DataSetIterator {
    private static final long serialVersionUID = 1;

    @Override
    public int inputColumns() {
      return source.inputColumns();
    }

    @Override
    public int totalOutcomes() {
      return source.totalOutcomes();
    }

    @Override
    public int batch() {
      return source.batch();
    }

    @Override
    public void setPreProcessor(DataSetPreProcessor preProcessor) {
      source.setPreProcessor(preProcessor);
    }

    @Override
    public @Nullable DataSetPreProcessor getPreProcessor() {
      return source.getPreProcessor();
    }

    @Override
    public @Nullable List<String> getLabels() {
      return source.getLabels();
    }
  }
}
