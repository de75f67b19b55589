package io.cairn.dl4j;

import io.cairn.dl4j.TrainingState.IteratorPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * One epoch's view of the application's iterator, which knows its position and calls at every
 * boundary between minibatches. It hands DL4J's own {@code fit} the data of one epoch: DL4J neither
 * prefetches from it nor resets it. Not thread-safe.
 *
 * <p>The boundary is where {@code fit} asks for the next minibatch: the iteration before is
 * complete then, constraints and counters included, and all parts of a minibatch that was trained
 * in parts (truncated backpropagation through time) are done.
 */
final class TrainingIterator implements DataSetIterator {
  private final DataSetIterator source;
  private final Runnable boundary;
  private long resets;
  private long sinceReset;
  private long inEpoch;
  private boolean training;

  /**
   * A view.
   *
   * @param source at the position where a training that starts anew would take it
   * @param boundary called after each minibatch that was trained
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

  /** Starts an epoch, or goes on with the one in which the position was restored. */
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
   * Brings the source to a position of an earlier process: as many resets as there, then as many
   * minibatches read and dropped.
   *
   * @throws IllegalStateException if the source has fewer minibatches
   */
  void replay(IteratorPosition position, long minibatchesInEpoch) {
    for (long k = 0; k < position.resets(); k++) {
      source.reset();
    }
    for (long k = 0; k < position.minibatches(); k++) {
      if (!source.hasNext()) {
        throw new IllegalStateException(
            "the data iterator ended after "
                + k
                + " minibatches, the checkpoint was taken after "
                + position.minibatches()
                + ": resume with the data and the minibatch size of the first start");
      }
      source.next();
    }
    resets = position.resets();
    sinceReset = position.minibatches();
    inEpoch = minibatchesInEpoch;
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
    throw new UnsupportedOperationException("an epoch's view cannot be reset");
  }

  @Override
  public DataSet next(int examples) {
    throw new UnsupportedOperationException("minibatches have the source's size here");
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
