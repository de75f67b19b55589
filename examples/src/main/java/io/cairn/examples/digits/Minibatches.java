package io.cairn.examples.digits;

import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * Minibatches of some samples, in a new order after every reset. The order depends on the seed and
 * on the number of resets only, so that a training can find its place again. Not thread-safe.
 */
public final class Minibatches implements DataSetIterator {
  private static final long serialVersionUID = 1;

  private final transient DigitsData data;
  private final int[] order;
  private final int batch;
  private final transient SplittableRandom random;
  private int next;
  private transient @Nullable DataSetPreProcessor preProcessor;

  /**
   * An iterator at the start of its first order.
   *
   * @param rows the samples
   * @param batch samples per minibatch; the last one of a pass may be smaller
   */
  public Minibatches(DigitsData data, int[] rows, int batch, long seed) {
    if (batch < 1) {
      throw new IllegalArgumentException("minibatches of " + batch + " samples");
    }
    this.data = data;
    this.order = rows.clone();
    this.batch = batch;
    this.random = new SplittableRandom(seed);
    Folds.shuffle(order, random);
  }

  /** Minibatches in one pass. */
  public int count() {
    return (order.length + batch - 1) / batch;
  }

  @Override
  public boolean hasNext() {
    return next < order.length;
  }

  @Override
  public DataSet next() {
    return next(batch);
  }

  @Override
  public DataSet next(int samples) {
    if (!hasNext()) {
      throw new NoSuchElementException("the pass is over after " + order.length + " samples");
    }
    int end = Math.min(order.length, next + samples);
    DataSet minibatch = data.dataSet(Arrays.copyOfRange(order, next, end));
    next = end;
    if (preProcessor != null) {
      preProcessor.preProcess(minibatch);
    }
    return minibatch;
  }

  @Override
  public void reset() {
    Folds.shuffle(order, random);
    next = 0;
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
  public int batch() {
    return batch;
  }

  @Override
  public int inputColumns() {
    return DigitsData.SIDE * DigitsData.SIDE;
  }

  @Override
  public int totalOutcomes() {
    return DigitsData.CLASSES;
  }

  @Override
  public void setPreProcessor(@Nullable DataSetPreProcessor preProcessor) {
    this.preProcessor = preProcessor;
  }

  @Override
  public @Nullable DataSetPreProcessor getPreProcessor() {
    return preProcessor;
  }

  @Override
  public List<String> getLabels() {
    return IntStream.range(0, DigitsData.CLASSES).mapToObj(Integer::toString).toList();
  }
}
