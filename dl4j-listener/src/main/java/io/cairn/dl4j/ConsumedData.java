package io.cairn.dl4j;

import java.util.Iterator;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;

/**
 * An iterator of a program's own loop, which repeats the way of an earlier process through the
 * data. Not thread-safe: the training thread owns it.
 *
 * @param source at the position where a new training starts
 * @param reset begins its next pass
 */
record ConsumedData(Iterator<?> source, Runnable reset) {
  static ConsumedData of(DataSetIterator source) {
    return new ConsumedData(source, resetOf(source.resetSupported(), source::reset));
  }

  static ConsumedData of(MultiDataSetIterator source) {
    return new ConsumedData(source, resetOf(source.resetSupported(), source::reset));
  }

  /** A source without resets serves one epoch, and ends the loop by its end. */
  private static Runnable resetOf(boolean supported, Runnable reset) {
    return supported ? reset : () -> {};
  }

  /**
   * Goes to the minibatch that an earlier process would have trained next.
   *
   * @param epochs that it completed, with one reset each
   * @param minibatches that it consumed since
   * @throws IllegalStateException if the source has fewer
   */
  void skip(long epochs, long minibatches) {
    for (long k = 0; k < epochs; k++) {
      reset.run();
    }
    if (source instanceof SeekableIterator seekable) {
      seekable.seek(minibatches);
    } else {
      readOver(minibatches);
    }
  }

  private void readOver(long minibatches) {
    for (long k = 0; k < minibatches; k++) {
      if (!source.hasNext()) {
        throw new IllegalStateException(
            "the data iterator ended after "
                + k
                + " minibatches, the checkpoint was taken after "
                + minibatches
                + ": resume with the data and the minibatch size of the first start");
      }
      source.next();
    }
  }

  /** Begins the next pass if this one has no minibatch left; whether it did. */
  boolean endPass() {
    boolean over = !source.hasNext();
    if (over) {
      reset.run();
    }
    return over;
  }
}
