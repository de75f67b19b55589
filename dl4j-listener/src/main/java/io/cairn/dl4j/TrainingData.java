package io.cairn.dl4j;

import io.cairn.dl4j.DataTrace.InPlace;
import io.cairn.dl4j.TrainingState.IteratorPosition;
import io.cairn.dl4j.TrainingState.RandomState;
import java.util.Iterator;
import java.util.Optional;
import org.deeplearning4j.datasets.iterator.file.BaseFileIterator;
import org.deeplearning4j.nn.api.NeuralNetwork;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;
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

  private final Class<?> kind;
  private final Iterator<T> source;

  /** The first minibatch, which was read to describe the data; null once it was consumed. */
  private @Nullable T first;

  private String description = "no minibatch";
  private long firstExamples;
  private final RandomState beforeFirst = ThreadGenerator.state();
  private final DataTrace trace = new DataTrace();

  private @Nullable Object encodedPreProcessor;
  private Bytes normalizer = Bytes.NONE;
  private Runnable beginning = () -> {};
  private Runnable boundary = () -> {};
  private long resets;
  private long sinceReset;
  private long inEpoch;
  private boolean recognised = true;
  private boolean training;

  /** Where minibatches are left out, and how many; none of them is due otherwise. */
  private IteratorPosition omittedFrom = IteratorPosition.UNKNOWN;

  private long omitted;

  /** Data of a source of some kind, of which nothing is read yet. */
  TrainingData(Class<?> kind, Iterator<T> source) {
    this.kind = kind;
    this.source = source;
  }

  /**
   * The data of an iterator at the position where a new training starts. Reads the first minibatch,
   * if there is one, and keeps it.
   *
   * @throws IllegalArgumentException if it is neither a {@code DataSetIterator} nor a {@code
   *     MultiDataSetIterator}
   */
  static TrainingData<?> of(Iterator<?> fresh) {
    if (fresh instanceof DataSetIterator pairs) {
      return begun(new DataSets(pairs));
    } else if (fresh instanceof MultiDataSetIterator several) {
      return begun(new MultiDataSets(several));
    }
    throw new IllegalArgumentException(
        "a " + fresh.getClass().getName() + " is no iterator over minibatches");
  }

  private static <T> TrainingData<T> begun(TrainingData<T> data) {
    if (data.source.hasNext()) {
      T read = data.source.next();
      data.first = read;
      data.firstExamples = DataTrace.examples(present(data.features(read)));
      data.description =
          DataDescription.of(data.features(read), data.labels(read), data.preProcessor());
    }
    return data;
  }

  /**
   * Like {@link #of}, of an iterator of the same kind.
   *
   * @throws IllegalArgumentException if it is of another kind
   */
  TrainingData<?> again(Iterator<?> fresh) {
    if (!kind.isInstance(fresh)) {
      throw new IllegalArgumentException(
          "the training began with a %s, a roll-back got a %s"
              .formatted(kind.getSimpleName(), fresh.getClass().getName()));
    }
    return of(fresh);
  }

  /** Resets the application's iterator. */
  abstract void resetSource();

  /** Whether the application's iterator can be reset. */
  abstract boolean resetSupported();

  /**
   * The iterator's preprocessor, such as a normaliser; null if it has none.
   *
   * @throws UnsupportedOperationException if an iterator of the application knows none
   */
  abstract @Nullable Object sourcePreProcessor();

  /** Replaces the iterator's normaliser by another one of the same class. */
  abstract void setPreProcessor(Normalizer<?> normalizer);

  /** Trains the rest of an epoch. */
  abstract void fitEpoch(NeuralNetwork network);

  /** The features of a minibatch; null if it has none. */
  abstract @Nullable INDArray @Nullable [] features(T minibatch);

  /** The labels of a minibatch; null if it has none. */
  abstract @Nullable INDArray @Nullable [] labels(T minibatch);

  private static @Nullable INDArray[] present(@Nullable INDArray @Nullable [] arrays) {
    return arrays == null ? new @Nullable INDArray[0] : arrays;
  }

  /** The data that a new training starts with, in at most 128 printable ASCII characters. */
  String description() {
    return description;
  }

  /**
   * Whether a replay read the same minibatch last as the checkpoint's training. True where that was
   * not looked at.
   */
  boolean recognised() {
    return recognised;
  }

  /** The trace of the minibatch that was read last. */
  DataTrace.Mark mark() {
    return trace.mark(description);
  }

  /** The trace of the data that were read. */
  DataTrace trace() {
    return trace;
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

  /** Begins the next pass. */
  void reset() {
    first = null;
    resetSource();
    trace.reset();
    resets++;
    sinceReset = 0;
  }

  /** As DL4J asks: the minibatch before is trained by then. */
  boolean hasNext() {
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
    // not before: a graph asks whether there is one, and then announces the epoch
    beginning.run();
    beginning = () -> {};
    T minibatch = take();
    inEpoch++;
    training = true;
    return minibatch;
  }

  private T take() {
    RandomState before = first == null ? ThreadGenerator.state() : beforeFirst;
    T minibatch = read();
    trace.read(present(features(minibatch)), before);
    return minibatch;
  }

  private T read() {
    T minibatch = first == null ? source.next() : first;
    first = null;
    sinceReset++;
    return minibatch;
  }

  private void readOver() {
    trace.readOver(present(features(read())));
  }

  /**
   * Moves the source to a position of an earlier process: repeats its resets, then seeks, or reads
   * and drops the minibatches that were consumed. Warns if the last one is another one.
   *
   * @param last the trace of the last one; empty if it is unknown
   * @throws IllegalStateException if the source has fewer minibatches
   */
  void replay(IteratorPosition position, long minibatchesInEpoch, Optional<DataTrace.Mark> last) {
    InPlace inPlace = last.map(DataTrace.Mark::inPlace).orElse(InPlace.UNKNOWN);
    boolean seeks = source instanceof SeekableIterator && inPlace != InPlace.YES;
    boolean whole =
        inPlace == InPlace.YES || (inPlace == InPlace.UNKNOWN && position.resets() == 1 && !seeks);
    if (inPlace == InPlace.YES && position.resets() > 0) {
      LOG.info(
          "The data change at each pass, so {} whole passes are read again", position.resets());
    }
    for (long k = 0; k < position.resets(); k++) {
      // such an iterator keeps the rest of a file over a reset, and nothing is left at a pass's end
      if (whole || (k == 0 && source instanceof BaseFileIterator<?, ?>)) {
        finishPass();
      }
      reset();
    }
    Optional<DataTrace.Mark> other = last.filter(mark -> mark.isOfOther(description));
    if (other.isPresent()) {
      goToExamples(other.get().examples());
    } else if (source instanceof SeekableIterator seekable && seeks) {
      seek(seekable, position.minibatches(), last.map(DataTrace.Mark::examples).orElse(0L));
    } else {
      readOver(position.minibatches(), last);
    }
    inEpoch = minibatchesInEpoch;
    last.ifPresent(trace::resume);
  }

  private void finishPass() {
    while (isLeft()) {
      readOver();
    }
  }

  /** Goes on with other data, whose minibatches may have another size. */
  private void goToExamples(long examples) {
    // between two minibatches alone, as a seek leaves examples out without a word
    if (source instanceof SeekableIterator seekable
        && firstExamples > 0
        && examples % firstExamples == 0) {
      seek(seekable, examples / firstExamples, examples);
      return;
    }
    recognised = false;
    while (trace.examples() < examples && isLeft()) {
      readOver();
    }
    LOG.warn(
        "The data are other ones than those of the checkpoint: the training goes on after {}"
            + " examples of this pass, and {} had been consumed",
        trace.examples(),
        examples);
  }

  private void seek(SeekableIterator seekable, long minibatches, long examples) {
    // also where nothing is to be skipped, since the first minibatch may be read already
    first = null;
    seekable.seek(minibatches);
    sinceReset = minibatches;
    trace.skip(examples);
  }

  private void readOver(long minibatches, Optional<DataTrace.Mark> last) {
    for (long k = 0; k < minibatches; k++) {
      if (!isLeft()) {
        throw new IllegalStateException(
            "the data iterator ended after "
                + k
                + " minibatches, the checkpoint was taken after "
                + minibatches
                + ": resume with the data and the minibatch size of the first start");
      }
      if (k < minibatches - 1 || last.isEmpty()) {
        readOver();
      } else {
        readAgain(last.get());
      }
    }
  }

  /** Reads the last minibatch before a checkpoint, with the generator as it was then. */
  private void readAgain(DataTrace.Mark last) {
    boolean drawnAlike = first == null || beforeFirst.equals(last.before());
    ThreadGenerator.set(last.before());
    take();
    recognised = !drawnAlike || trace.digest() == last.digest();
    if (!recognised) {
      LOG.warn(
          "{} returned another minibatch than the training had consumed last before the checkpoint,"
              + " number {} after reset {}: the training goes on, but not bit for bit as without"
              + " the interruption. Its data depend on more than its construction and its resets,"
              + " or their source has changed. Draw from Nd4j.getRandom() on the training thread"
              + " for each minibatch, implement SeekableIterator, or, in a loop of the program's"
              + " own, let only the iterator's preprocessor change minibatches",
          source.getClass().getName(),
          sinceReset,
          resets);
    }
  }

  private @Nullable Object preProcessor() {
    try {
      return sourcePreProcessor();
    } catch (UnsupportedOperationException e) {
      return null;
    }
  }

  /** The rest of an epoch, as DL4J reads it. */
  abstract class RestOfEpoch implements Iterator<T> {
    @Override
    public boolean hasNext() {
      return TrainingData.this.hasNext();
    }

    @Override
    public T next() {
      return TrainingData.this.next();
    }

    /** Refuses minibatches of another size. */
    public T next(int examples) {
      throw new UnsupportedOperationException("the source determines the size of a minibatch");
    }

    /** Whether it can be read once more. */
    public boolean resetSupported() {
      return false;
    }

    /** Whether DL4J may read ahead. */
    public boolean asyncSupported() {
      return false;
    }

    /** Refuses to be read once more. */
    public void reset() {
      throw new UnsupportedOperationException("the view of one epoch cannot be reset");
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

  /**
   * Gives the iterator the normaliser of a checkpoint, if both have one and they differ. One of
   * another class stays: the program accepted other data.
   */
  void restoreNormalizer(Bytes saved) {
    Bytes own = normalizer();
    if (own.isEmpty() || saved.isEmpty() || own.equals(saved)) {
      return;
    }
    Normalizer<?> restored = Normalizers.decode(saved);
    if (restored.getClass().isInstance(preProcessor())) {
      LOG.info("The iterator's normaliser gets the statistics of the checkpoint");
      setPreProcessor(restored);
    } else {
      LOG.warn(
          "The checkpoint was trained with a {}: the iterator keeps its own normaliser",
          restored.getClass().getSimpleName());
    }
  }
}
