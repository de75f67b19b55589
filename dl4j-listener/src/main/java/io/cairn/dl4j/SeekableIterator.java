package io.cairn.dl4j;

/**
 * A {@code DataSetIterator} or {@code MultiDataSetIterator} that goes to a position without reading
 * the data before it. {@link CairnTraining} then resumes without reading over the minibatches that
 * were consumed. A program whose iterator comes from a library wraps it.
 */
public interface SeekableIterator {
  /**
   * Goes to a position in the present pass over the data. {@code next()} then returns the minibatch
   * that it would return after as many calls since the last {@code reset()}, or since the
   * construction. {@code CairnTraining} repeats the resets of the earlier run before.
   *
   * @param minibatches before the position; 0 or more
   * @throws IllegalStateException if the pass has fewer minibatches
   */
  void seek(long minibatches);
}
