package io.cairn.lab.prove;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.MultiDataSet;
import org.nd4j.linalg.dataset.api.MultiDataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * Four minibatches of random numbers, the same for the same kind, in another order after each
 * reset. Not thread-safe.
 */
final class ProofData implements MultiDataSetIterator {
  static final int MINIBATCHES = 4;
  static final int INPUTS = 6;
  static final int CLASSES = 3;
  static final int SIDE = 6;

  private static final long serialVersionUID = 1;
  private static final int EXAMPLES = 5;
  private static final int STEPS = 10;
  private static final int FIRST_MASKED = 7;
  private static final long CONTENT_SEED = 3;
  private static final long ORDER_SEED = 11;

  /** The shapes of the minibatches. */
  enum Kind {
    FLAT,
    TWO_INPUTS,
    IMAGES,
    SERIES
  }

  private final transient List<MultiDataSet> inFirstOrder;
  private final transient List<MultiDataSet> order;
  private final transient Random shuffle = new Random(ORDER_SEED);
  private final transient ProofPairs pairs = new ProofPairs(this);
  private int cursor;

  /** At the beginning. */
  ProofData(Kind kind) {
    Random random = new Random(CONTENT_SEED);
    inFirstOrder = new ArrayList<>();
    for (int k = 0; k < MINIBATCHES; k++) {
      inFirstOrder.add(minibatch(kind, random));
    }
    order = new ArrayList<>(inFirstOrder);
  }

  private static MultiDataSet minibatch(Kind kind, Random random) {
    INDArray[] labels = {labels(random)};
    return switch (kind) {
      case FLAT -> new MultiDataSet(new INDArray[] {uniform(random, EXAMPLES, INPUTS)}, labels);
      case TWO_INPUTS ->
          new MultiDataSet(
              new INDArray[] {uniform(random, EXAMPLES, INPUTS), uniform(random, EXAMPLES, INPUTS)},
              labels);
      case IMAGES ->
          new MultiDataSet(new INDArray[] {uniform(random, EXAMPLES, 1, SIDE, SIDE)}, labels);
      case SERIES -> series(random);
    };
  }

  private static INDArray labels(Random random) {
    INDArray labels = Nd4j.zeros(EXAMPLES, CLASSES);
    for (int row = 0; row < EXAMPLES; row++) {
      labels.putScalar(row, random.nextInt(CLASSES), 1);
    }
    return labels;
  }

  /** Masks hide the end of one series. */
  private static MultiDataSet series(Random random) {
    INDArray labels = Nd4j.zeros(EXAMPLES, CLASSES, STEPS);
    for (int row = 0; row < EXAMPLES; row++) {
      for (int step = 0; step < STEPS; step++) {
        labels.putScalar(row, random.nextInt(CLASSES), step, 1);
      }
    }
    INDArray mask = Nd4j.ones(EXAMPLES, STEPS);
    mask.get(NDArrayIndex.point(0), NDArrayIndex.interval(FIRST_MASKED, STEPS)).assign(0);
    return new MultiDataSet(
        new INDArray[] {uniform(random, EXAMPLES, INPUTS, STEPS)},
        new INDArray[] {labels},
        new INDArray[] {mask},
        new INDArray[] {mask});
  }

  private static INDArray uniform(Random random, long... shape) {
    INDArray array = Nd4j.create(shape);
    for (long k = 0; k < array.length(); k++) {
      array.putScalar(k, random.nextDouble() * 2 - 1);
    }
    return array;
  }

  /** This iterator, as one over pairs of features and labels; always the same. */
  ProofPairs pairs() {
    return pairs;
  }

  /** Goes to the first minibatch of the present order, as if the position had not been restored. */
  void forgetPosition() {
    cursor = 0;
  }

  /** Goes back to the first order, as if no reset had been repeated. */
  void forgetOrder() {
    Collections.copy(order, inFirstOrder);
    shuffle.setSeed(ORDER_SEED);
  }

  @Override
  public boolean hasNext() {
    return cursor < order.size();
  }

  @Override
  public MultiDataSet next() {
    return order.get(cursor++);
  }

  @Override
  public MultiDataSet next(int examples) {
    throw new UnsupportedOperationException("minibatches have one size");
  }

  @Override
  public void reset() {
    Collections.shuffle(order, shuffle);
    cursor = 0;
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
  public void setPreProcessor(MultiDataSetPreProcessor preProcessor) {
    throw new UnsupportedOperationException("pairs are preprocessed");
  }

  @Override
  public @Nullable MultiDataSetPreProcessor getPreProcessor() {
    return null;
  }
}
