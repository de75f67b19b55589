package io.cairn.dl4j;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.MultiDataSet;
import org.nd4j.linalg.dataset.api.MultiDataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** Random data, the same for the same arguments, from the JDK's generator. */
final class TestData {
  static final int MINIBATCHES = 4;
  static final int MINIBATCH = 5;

  private TestData() {}

  /** Four minibatches that come in another order after each reset. */
  static Shuffling shuffling() {
    return new Shuffling(minibatches(0));
  }

  /** The first of them. */
  static Shuffling shuffling(int minibatches) {
    return new Shuffling(new ArrayList<>(minibatches(0).subList(0, minibatches)));
  }

  /** Four minibatches of time series of ten steps. */
  static Shuffling series() {
    return new Shuffling(minibatches(10));
  }

  /** The same data in the same order, from an iterator that can seek. */
  static Seeking seeking() {
    return new Seeking(minibatches(0));
  }

  /** An iterator as users write them: shuffles with a generator of its own at each reset. */
  static class Shuffling extends ListDataSetIterator<DataSet> {
    private static final long serialVersionUID = 1;

    // the superclass iterates over a copy of its own
    private final transient List<DataSet> order;
    private final transient Random random = new Random(11);
    private int cursor;

    Shuffling(List<DataSet> order) {
      super(order, 1);
      this.order = order;
    }

    @Override
    public synchronized boolean hasNext() {
      return cursor < order.size();
    }

    @Override
    public synchronized DataSet next() {
      return order.get(cursor++);
    }

    @Override
    public synchronized void reset() {
      Collections.shuffle(order, random);
      cursor = 0;
    }

    final synchronized void moveTo(int position) {
      cursor = position;
    }
  }

  /** Counts the minibatches that are read. */
  static final class Seeking extends Shuffling implements SeekableIterator {
    private static final long serialVersionUID = 1;

    private int read;

    private Seeking(List<DataSet> order) {
      super(order);
    }

    @Override
    public synchronized DataSet next() {
      read++;
      return super.next();
    }

    @Override
    public void seek(long minibatches) {
      moveTo(Math.toIntExact(minibatches));
    }

    /** The minibatches that were read so far. */
    synchronized int read() {
      return read;
    }
  }

  /** The same data for two inputs, in the same changing order. */
  static MultiShuffling twoInputs() {
    return new MultiShuffling(shuffling(), flat -> new INDArray[] {flat, flat.neg()});
  }

  /** The same data as {@link #shuffling()}, as an iterator over several inputs. */
  static MultiShuffling oneInput() {
    return new MultiShuffling(shuffling(), flat -> new INDArray[] {flat});
  }

  /** Time series of ten steps, of which masks hide the last ones. */
  static MultiShuffling masked() {
    return new MultiShuffling(series(), series -> new INDArray[] {series});
  }

  /** A view of an iterator over pairs. */
  static final class MultiShuffling implements MultiDataSetIterator, SeekableIterator {
    private static final long serialVersionUID = 1;

    private final transient Shuffling pairs;
    private final transient UnaryInputs inputs;

    private MultiShuffling(Shuffling pairs, UnaryInputs inputs) {
      this.pairs = pairs;
      this.inputs = inputs;
    }

    /** The inputs of a network, from one array. */
    private interface UnaryInputs {
      INDArray[] of(INDArray features);
    }

    @Override
    public boolean hasNext() {
      return pairs.hasNext();
    }

    @Override
    public MultiDataSet next() {
      DataSet pair = pairs.next();
      INDArray[] labels = {pair.getLabels()};
      INDArray features = pair.getFeatures();
      if (features.rank() == 2) {
        return new MultiDataSet(inputs.of(features), labels);
      }
      INDArray mask = Nd4j.ones(MINIBATCH, features.size(2));
      mask.get(NDArrayIndex.point(0), NDArrayIndex.interval(6, features.size(2))).assign(0);
      return new MultiDataSet(
          inputs.of(features), labels, new INDArray[] {mask}, new INDArray[] {mask});
    }

    @Override
    public void seek(long minibatches) {
      pairs.moveTo(Math.toIntExact(minibatches));
    }

    @Override
    public MultiDataSet next(int examples) {
      throw new UnsupportedOperationException("one size only");
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
    public void reset() {
      pairs.reset();
    }

    @Override
    public void setPreProcessor(MultiDataSetPreProcessor preProcessor) {
      throw new UnsupportedOperationException("data as they are");
    }

    @Override
    public MultiDataSetPreProcessor getPreProcessor() {
      throw new UnsupportedOperationException("data as they are");
    }
  }

  /** Four minibatches, of time series unless {@code steps} is 0. */
  static List<DataSet> minibatches(int steps) {
    Random random = new Random(3);
    List<DataSet> list = new ArrayList<>();
    for (int k = 0; k < MINIBATCHES; k++) {
      list.add(
          steps == 0
              ? flat(random)
              : new DataSet(
                  uniform(random, MINIBATCH, TestNets.INPUTS, steps), oneHot(random, steps)));
    }
    return list;
  }

  private static DataSet flat(Random random) {
    return new DataSet(
        uniform(random, MINIBATCH, TestNets.INPUTS),
        oneHot(random, 1).reshape(MINIBATCH, TestNets.CLASSES));
  }

  private static INDArray uniform(Random random, long... shape) {
    INDArray array = Nd4j.create(shape);
    for (long k = 0; k < array.length(); k++) {
      array.putScalar(k, random.nextDouble() * 2 - 1);
    }
    return array;
  }

  private static INDArray oneHot(Random random, int steps) {
    INDArray labels = Nd4j.zeros(MINIBATCH, TestNets.CLASSES, steps);
    for (int row = 0; row < MINIBATCH; row++) {
      for (int step = 0; step < steps; step++) {
        labels.putScalar(row, random.nextInt(TestNets.CLASSES), step, 1);
      }
    }
    return labels;
  }
}
