package io.cairn.dl4j;

import io.cairn.dl4j.TrainingState.IteratorPosition;
import java.util.Iterator;
import java.util.function.Function;
import org.deeplearning4j.nn.api.NeuralNetwork;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.api.preprocessor.Normalizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's iterator as a training reads it: tracks the position, and calls back at every
 * boundary between minibatches. DL4J reads one epoch at a time, and neither prefetches nor resets.
 * Not thread-safe.
 *
 * <p>The boundary is where DL4J asks for the next minibatch. By then the previous iteration is
 * complete, constraints and counters included. With truncated backpropagation through time, all
 * parts of the minibatch are done.
 *
 * @param <T> a minibatch
 */
abstract sealed class TrainingData<T> permits DataSets, MultiDataSets {
  private static final Logger LOG = LoggerFactory.getLogger(TrainingData.class);

  private final Iterator<T> source;
  private final String description;

  /** The first minibatch, which was read to describe the data; null once it was consumed. */
  private @Nullable T first;

  private @Nullable Object encodedPreProcessor;
  private Bytes normalizer = Bytes.NONE;
  private Runnable beginning = () -> {};
  private Runnable boundary = () -> {};
  private long resets;
  private long sinceReset;
  private long inEpoch;
  private boolean training;

  /** Where minibatches are left out, and how many; none of them is due otherwise. */
  private IteratorPosition omittedFrom = IteratorPosition.UNKNOWN;

  private long omitted;

  /**
   * Reads the first minibatch, if there is one, and keeps it.
   *
   * @param source at the position where a new training starts
   * @param describe describes a minibatch, as {@link DataDescription} does
   */
  TrainingData(Iterator<T> source, Function<T, String> describe) {
    this.source = source;
    T read = source.hasNext() ? source.next() : null;
    this.first = read;
    this.description = read == null ? "no minibatch" : describe.apply(read);
  }

  /**
   * Another iterator of the same kind, at the position where a new training starts.
   *
   * @throws IllegalArgumentException if it is of the other kind
   */
  abstract TrainingData<T> of(Iterator<?> fresh);

  /** Resets the application's iterator. */
  abstract void resetSource();

  /** Whether the application's iterator can be reset. */
  abstract boolean resetSupported();

  /** The iterator's preprocessor, such as a normaliser; null if it has none. */
  abstract @Nullable Object preProcessor();

  /** Replaces the iterator's normaliser by another one of the same class. */
  abstract void setPreProcessor(Normalizer<?> normalizer);

  /** Trains the rest of an epoch. */
  abstract void fitEpoch(NeuralNetwork network);

  /** The data that a new training starts with, in at most 128 printable ASCII characters. */
  String description() {
    return description;
  }

  IteratorPosition position() {
    return new IteratorPosition(resets, sinceReset);
  }

  /** The position of the minibatch that was read last. */
  IteratorPosition lastMinibatch() {
    return new IteratorPosition(resets, sinceReset - 1);
  }

  /** Minibatches consumed in this epoch. */
  long inEpoch() {
    return inEpoch;
  }

  /** Whether the present pass has another minibatch that is not left out. */
  boolean hasMore() {
    if (!training) {
      leaveOut();
    }
    return isLeft();
  }

  private boolean isLeft() {
    return first != null || source.hasNext();
  }

  /**
   * Trains an epoch, or the rest of the one in which the position was restored.
   *
   * @param begun called when DL4J has announced the epoch to its listeners
   * @param afterMinibatch called after each trained minibatch
   */
  void fit(NeuralNetwork network, Runnable begun, Runnable afterMinibatch) {
    if (inEpoch == 0 && !isLeft()) {
      if (!resetSupported()) {
        throw new IllegalStateException(
            "the data iterator is exhausted and cannot be reset for another epoch");
      }
      reset();
    }
    beginning = begun;
    boundary = afterMinibatch;
    fitEpoch(network);
    inEpoch = 0;
    training = false;
  }

  private void reset() {
    first = null;
    resetSource();
    resets++;
    sinceReset = 0;
  }

  /** As DL4J asks: the minibatch before is trained by then. */
  boolean hasNext() {
    beginning.run();
    beginning = () -> {};
    if (training) {
      training = false;
      boundary.run();
    }
    leaveOut();
    return hasMore();
  }

  /** Leaves minibatches out when the training reaches a position, at most to the pass's end. */
  void leaveOut(IteratorPosition from, long minibatches) {
    omittedFrom = from;
    omitted = minibatches;
  }

  private void leaveOut() {
    if (omitted > 0 && position().equals(omittedFrom)) {
      for (; omitted > 0 && isLeft(); omitted--) {
        take();
        inEpoch++;
      }
      omitted = 0;
    }
  }

  /** The next minibatch, to be trained. */
  T next() {
    T minibatch = take();
    inEpoch++;
    training = true;
    return minibatch;
  }

  private T take() {
    T minibatch = first == null ? source.next() : first;
    first = null;
    sinceReset++;
    return minibatch;
  }

  /**
   * Moves the source to a position of an earlier process: repeats its resets, then seeks, or reads
   * and drops the minibatches that were consumed.
   *
   * @throws IllegalStateException if the source has fewer minibatches
   */
  void replay(IteratorPosition position, long minibatchesInEpoch) {
    for (long k = 0; k < position.resets(); k++) {
      reset();
    }
    if (source instanceof SeekableIterator seekable) {
      // also where nothing is to be skipped, since the first minibatch may be read already
      first = null;
      seekable.seek(position.minibatches());
      sinceReset = position.minibatches();
    } else {
      readOver(position.minibatches());
    }
    inEpoch = minibatchesInEpoch;
  }

  private void readOver(long minibatches) {
    for (long k = 0; k < minibatches; k++) {
      if (!isLeft()) {
        throw new IllegalStateException(
            "the data iterator ended after "
                + k
                + " minibatches, the checkpoint was taken after "
                + minibatches
                + ": resume with the data and the minibatch size of the first start");
      }
      take();
    }
  }

  /** The statistics of the iterator's normaliser; empty if it has none that can be saved. */
  Bytes normalizer() {
    Object present = preProcessor();
    if (present != encodedPreProcessor) {
      encodedPreProcessor = present;
      normalizer = Normalizers.encode(present);
    }
    return normalizer;
  }

  /** Gives the iterator the normaliser of a checkpoint, if both have one and they differ. */
  void restoreNormalizer(Bytes saved) {
    Bytes own = normalizer();
    if (!own.isEmpty() && !saved.isEmpty() && !own.equals(saved)) {
      LOG.info("The iterator's normaliser gets the statistics of the checkpoint");
      setPreProcessor(Normalizers.decode(saved));
    }
  }
}
