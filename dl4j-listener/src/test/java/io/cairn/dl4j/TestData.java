package io.cairn.dl4j;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;

/** Random data, the same for the same arguments, from the JDK's generator. */
final class TestData {
  static final int MINIBATCHES = 4;
  static final int MINIBATCH = 5;

  private TestData() {}

  /** Four minibatches that come in another order after each reset. */
  static Shuffling shuffling() {
    return new Shuffling(minibatches(0));
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

    private Shuffling(List<DataSet> order) {
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

  private static List<DataSet> minibatches(int steps) {
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
