package io.cairn.dl4j;

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
    super(MultiDataSetIterator.class, source);
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
    source.setPreProcessor((MultiDataSetPreProcessor) normalizer);
  }

  @Override
  @Nullable INDArray @Nullable [] features(MultiDataSet minibatch) {
    return minibatch.getFeatures();
  }

  @Override
  @Nullable INDArray @Nullable [] labels(MultiDataSet minibatch) {
    return minibatch.getLabels();
  }

  @Override
  void fitEpoch(NeuralNetwork network) {
    network.fit(new Epoch());
  }

  private final class Epoch extends RestOfEpoch implements MultiDataSetIterator {
    private static final long serialVersionUID = 1;

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
