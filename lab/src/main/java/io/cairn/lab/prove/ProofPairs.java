package io.cairn.lab.prove;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.MultiDataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/** Data of one input as pairs, which a preprocessor may change. Not thread-safe. */
final class ProofPairs implements DataSetIterator {
  private static final long serialVersionUID = 1;

  private final transient ProofData data;
  private transient @Nullable DataSetPreProcessor preProcessor;

  ProofPairs(ProofData data) {
    this.data = data;
  }

  @Override
  public boolean hasNext() {
    return data.hasNext();
  }

  @Override
  public DataSet next() {
    MultiDataSet one = data.next();
    DataSet pair =
        new DataSet(
            one.getFeatures(0).dup(),
            one.getLabels(0),
            first(one.getFeaturesMaskArrays()),
            first(one.getLabelsMaskArrays()));
    if (preProcessor != null) {
      preProcessor.preProcess(pair);
    }
    return pair;
  }

  private static @Nullable INDArray first(INDArray @Nullable [] masks) {
    return masks == null ? null : masks[0];
  }

  @Override
  public DataSet next(int examples) {
    throw new UnsupportedOperationException("minibatches have one size");
  }

  @Override
  public void reset() {
    data.reset();
  }

  @Override
  public boolean resetSupported() {
    return true;
  }

  @Override
  public boolean asyncSupported() {
    return true;
  }

  @Override
  public int inputColumns() {
    return ProofData.INPUTS;
  }

  @Override
  public int totalOutcomes() {
    return ProofData.CLASSES;
  }

  @Override
  public int batch() {
    return 1;
  }

  @Override
  public void setPreProcessor(@Nullable DataSetPreProcessor next) {
    preProcessor = next;
  }

  @Override
  public @Nullable DataSetPreProcessor getPreProcessor() {
    return preProcessor;
  }

  @Override
  public @Nullable List<String> getLabels() {
    return null;
  }
}
