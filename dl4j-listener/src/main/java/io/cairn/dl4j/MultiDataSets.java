package io.cairn.dl4j;

import java.util.Iterator;
import org.deeplearning4j.nn.api.NeuralNetwork;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.dataset.api.MultiDataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;
import org.nd4j.linalg.dataset.api.preprocessor.Normalizer;

/** Minibatches of several inputs or outputs. Not thread-safe. */
final class MultiDataSets extends TrainingData<MultiDataSet> {
  private final MultiDataSetIterator source;

  MultiDataSets(MultiDataSetIterator source) {
    super(
        source,
        MultiDataSets::featuresOf,
        minibatch ->
            DataDescription.of(
                minibatch.getFeatures(), minibatch.getLabels(), preProcessor(source)));
    this.source = source;
  }

  @Override
  MultiDataSets of(Iterator<?> fresh) {
    if (fresh instanceof MultiDataSetIterator same) {
      return new MultiDataSets(same);
    }
    throw new IllegalArgumentException(
        "the training began with a MultiDataSetIterator, a roll-back got a "
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

  private static @Nullable Object preProcessor(MultiDataSetIterator source) {
    return orNull(source::getPreProcessor);
  }

  @Override
  void setPreProcessor(Normalizer<?> normalizer) {
    source.setPreProcessor((MultiDataSetPreProcessor) normalizer);
  }

  @Override
  @Nullable INDArray[] features(MultiDataSet minibatch) {
    return featuresOf(minibatch);
  }

  private static @Nullable INDArray[] featuresOf(MultiDataSet minibatch) {
    INDArray[] features = minibatch.getFeatures();
    return features == null ? new @Nullable INDArray[0] : features;
  }

  @Override
  void fitEpoch(NeuralNetwork network) {
    network.fit(new Epoch());
  }

  private final class Epoch extends RestOfEpoch implements MultiDataSetIterator {
    private static final long serialVersionUID = 1;

    @Override
    public MultiDataSet next(int examples) {
      throw new UnsupportedOperationException("the source determines the size of a minibatch");
    }

    @Override
    public void setPreProcessor(MultiDataSetPreProcessor preProcessor) {
      source.setPreProcessor(preProcessor);
    }

    @Override
    public @Nullable MultiDataSetPreProcessor getPreProcessor() {
      return source.getPreProcessor();
    }
  }
}
