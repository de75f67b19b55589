package io.cairn.dl4j;

import java.util.List;
import org.nd4j.linalg.dataset.DataSet;

/** Shuffles at each reset, and dies instead of reading one minibatch more. */
class DyingData extends TestData.Shuffling {
  private static final long serialVersionUID = 1;

  private int left;

  /** The four minibatches of the other iterators. */
  DyingData(int minibatches) {
    this(TestData.minibatches(0), minibatches);
  }

  private DyingData(List<DataSet> order, int minibatches) {
    super(order);
    left = minibatches;
  }

  /** The death of the process. */
  static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Override
  public boolean asyncSupported() {
    return false; // the thread that trains reads, and dies
  }

  @Override
  public synchronized DataSet next() {
    if (left-- == 0) {
      throw new DeathException();
    }
    return super.next();
  }
}
