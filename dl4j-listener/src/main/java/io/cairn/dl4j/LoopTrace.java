package io.cairn.dl4j;

import io.cairn.dl4j.TrainingState.IteratorPosition;
import io.cairn.dl4j.TrainingState.RandomState;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The minibatches that a program's own loop trains, as its listener sees them: when their iteration
 * is done. Not thread-safe: the training thread owns it.
 */
final class LoopTrace {
  private DataTrace trace = new DataTrace();

  /** The generator when the loop asked for the minibatch that it trains now. */
  private RandomState before = ThreadGenerator.state();

  private boolean known;
  private boolean recognised = true;

  /**
   * Goes to the minibatch that an earlier process would have trained next, and sets the generator.
   * Begins the next pass if this one has no minibatch left.
   *
   * @param epochs that it completed, with one reset each
   * @param state after its last minibatch
   * @param resets whether the data can be reset; if not, they serve one epoch
   * @param fresh the data at their start, of which nothing is read before
   * @return whether the pass was over
   * @throws IllegalStateException if the data have fewer minibatches
   */
  boolean goTo(long epochs, TrainingState state, boolean resets, Iterator<?> fresh) {
    ThreadGenerator.set(state.random());
    long minibatches = state.epochMinibatches();
    if (minibatches == 0 && (epochs == 0 || !resets)) {
      return false; // the first minibatch is still to be trained
    }
    Optional<DataTrace.Mark> last = state.minibatch();
    last.ifPresent(mark -> ThreadGenerator.set(mark.before()));
    TrainingData<?> data = TrainingData.of(fresh);
    data.replay(new IteratorPosition(resets ? epochs : 0, minibatches), minibatches, last);
    recognised = data.recognised();
    trace = data.trace();
    // last, since reading draws from it, and before the question whether more data follow
    ThreadGenerator.set(state.random());
    before = state.random();
    boolean over = minibatches > 0 && !data.hasMore();
    if (over && resets) {
      data.reset();
    }
    return over;
  }

  /** Whether the last minibatch that was read again was the one that the checkpoint names. */
  boolean recognised() {
    return recognised;
  }

  /**
   * A minibatch was trained.
   *
   * @param inputs of the network
   * @param first whether it is the first one of an epoch
   */
  void trained(@Nullable INDArray[] inputs, boolean first) {
    if (first) {
      trace.reset();
    }
    known = Arrays.stream(inputs).allMatch(Objects::nonNull);
    trace.read(inputs, before);
    before = ThreadGenerator.state();
  }

  /** The same state after the minibatch that was trained last. */
  TrainingState after(TrainingState state) {
    return known ? state.after(trace.mark()) : state;
  }
}
