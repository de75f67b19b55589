package io.cairn.dl4j;

import io.cairn.dl4j.TrainingState.IteratorPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * A view of the application's iterator that lasts one epoch, tracks the position, and calls back at
 * every boundary between minibatches. DL4J's {@code fit} reads one epoch from it, and neither
 * prefetches from it nor resets it. Not thread-safe.
 *
 * <p>The boundary is where {@code fit} asks for the next minibatch. By then the previous iteration
 * is complete, constraints and counters included. With truncated backpropagation through time, all
 * parts of the minibatch are done.
 */
final class TrainingIterator implements DataSetIterator {
  private final DataSetIterator source;
  private final Runnable boundary;
  private long resets;
  private long sinceReset;
  private long inEpoch;
  private boolean training;

  /**
   * Creates a view.
   *
   * @param source at the position where a new training starts
   * @param boundary called after each trained minibatch
   */
  TrainingIterator(DataSetIterator source, Runnable boundary) {
    this.source = source;
    this.boundary = boundary;
  }

  IteratorPosition position() {
    return new IteratorPosition(resets, sinceReset);
  }

  /** Minibatches consumed in this epoch. */
  long inEpoch() {
    return inEpoch;
  }

  /** Starts an epoch, or continues the one in which the position was restored. */
  void beginEpoch() {
    if (inEpoch == 0 && !source.hasNext()) {
      if (!source.resetSupported()) {
        throw new IllegalStateException(
            "the data iterator is exhausted and cannot be reset for another epoch");
      }
      source.reset();
      resets++;
      sinceReset = 0;
    }
  }

  void endEpoch() {
    inEpoch = 0;
    training = false;
  }

  /**
   * Moves the source to a position of an earlier process: repeats its resets, then seeks, or reads
   * and drops the minibatches that were consumed.
   *
   * @throws IllegalStateException if the source has fewer minibatches
   */
  void replay(IteratorPosition position, long minibatchesInEpoch) {
    for (long k = 0; k < position.resets(); k++) {
      source.reset();
    }
    if (source instanceof SeekableIterator seekable) {
      seekable.seek(position.minibatches());
    } else {
      readOver(position.minibatches());
    }
    resets = position.resets();
    sinceReset = position.minibatches();
    inEpoch = minibatchesInEpoch;
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

  @Override
  public boolean hasNext() {
    if (training) {
      training = false;
      boundary.run();
    }
    return source.hasNext();
  }

  @Override
  public DataSet next() {
    DataSet minibatch = source.next();
    sinceReset++;
    inEpoch++;
    training = true;
    return minibatch;
  }

  @Override
  public boolean resetSupported() {
    return false;
  }

  @Override
  public boolean asyncSupported() {
    return false;
  }

  @Override
  public void reset() {
    throw new UnsupportedOperationException("the view of one epoch cannot be reset");
  }

  @Override
  public DataSet next(int examples) {
    throw new UnsupportedOperationException("the source determines the size of a minibatch");
  }

  @Override
  public int inputColumns() {
    return source.inputColumns();
  }

  @Override
  public int totalOutcomes() {
    return source.totalOutcomes();
  }

  @Override
  public int batch() {
    return source.batch();
  }

  @Override
  public void setPreProcessor(DataSetPreProcessor preProcessor) {
    source.setPreProcessor(preProcessor);
  }

  @Override
  public @Nullable DataSetPreProcessor getPreProcessor() {
    return source.getPreProcessor();
  }

  @Override
  public @Nullable List<String> getLabels() {
    return source.getLabels();
  }
}
