package io.cairn.examples.trouble;

import io.cairn.examples.digits.Minibatches;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/** Minibatches of the digits, with planted trouble. Not thread-safe. */
final class StruckMinibatches implements DataSetIterator {
  private static final long serialVersionUID = 1;

  private final transient Minibatches data;
  private final transient Plants plants;
  private int firstOfPass;
  private int inPass;

  StruckMinibatches(Minibatches data, Plants plants) {
    this.data = data;
    this.plants = plants;
  }

  @Override
  public boolean hasNext() {
    return data.hasNext();
  }

  @Override
  public DataSet next() {
    if (plants.isLeftOut(firstOfPass + inPass)) {
      data.next();
      inPass++;
    }
    int place = firstOfPass + inPass++;
    plants.reading(place);
    return plants.read(place, data.next());
  }

  @Override
  public DataSet next(int samples) {
    throw new UnsupportedOperationException("minibatches have one size");
  }

  @Override
  public void reset() {
    data.reset();
    firstOfPass += data.count();
    inPass = 0;
  }

  @Override
  public boolean resetSupported() {
    return true;
  }

  @Override
  public boolean asyncSupported() {
    return false;
  }

  @Override
  public int batch() {
    return data.batch();
  }

  @Override
  public int inputColumns() {
    return data.inputColumns();
  }

  @Override
  public int totalOutcomes() {
    return data.totalOutcomes();
  }

  @Override
  public void setPreProcessor(@Nullable DataSetPreProcessor preProcessor) {
    throw new UnsupportedOperationException("data as they are");
  }

  @Override
  public @Nullable DataSetPreProcessor getPreProcessor() {
    return null;
  }

  @Override
  public List<String> getLabels() {
    return data.getLabels();
  }
}
