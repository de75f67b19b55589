package io.cairn.dl4j;

import java.util.Iterator;
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
    super(
        source,
        DataSets::featuresOf,
        minibatch ->
            DataDescription.of(
                new @Nullable INDArray[] {minibatch.getFeatures()},
                new @Nullable INDArray[] {minibatch.getLabels()},
                preProcessor(source)));
    this.source = source;
  }

  @Override
  DataSets of(Iterator<?> fresh) {
    if (fresh instanceof DataSetIterator same) {
      return new DataSets(same);
    }
    throw new IllegalArgumentException(
        "the training began with a DataSetIterator, a roll-back got a "
            + fresh.getClass().getName());
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
  @Nullable Object preProcessor() {
    return preProcessor(source);
  }

  private static @Nullable Object preProcessor(DataSetIterator source) {
    return orNull(source::getPreProcessor);
  }

  @Override
  void setPreProcessor(Normalizer<?> normalizer) {
    source.setPreProcessor((DataSetPreProcessor) normalizer);
  }

  @Override
  @Nullable INDArray[] features(DataSet minibatch) {
    return featuresOf(minibatch);
  }

  private static @Nullable INDArray[] featuresOf(DataSet minibatch) {
    return new @Nullable INDArray[] {minibatch.getFeatures()};
  }

  @Override
  void fitEpoch(NeuralNetwork network) {
    network.fit(new Epoch());
  }

  private final class Epoch extends RestOfEpoch implements DataSetIterator {
    private static final long serialVersionUID = 1;

    @Override
    public DataSet next(int examples) {
      throw new UnsupportedOperationException("the source determines the size of a minibatch");
    }

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
