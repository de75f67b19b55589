package io.cairn.training;

import io.cairn.RestoreReport;
import java.util.Optional;

/**
 * A training as its {@link Watch} sees it: a state that a {@link io.cairn.Checkpointer} keeps,
 * steps that each complete an iteration, and the loss of the last step. The adapter of a framework
 * implements it. The training thread calls all methods.
 *
 * @param <P> the place of a minibatch in the data, ordered as the training reads them. The same
 *     minibatch keeps its place after a roll-back, where its iteration may be another one
 */
public interface Trainer<P extends Comparable<? super P>> {
  /** The iteration that the last step completed. */
  long iteration();

  /** The loss of the last step. */
  double loss();

  /** The place of the last step's minibatch. */
  P place();

  /**
   * Restores the newest checkpoint of an iteration below {@code iteration}, as {@link
   * io.cairn.Checkpointer#restoreBefore} does. The next step goes on from there.
   *
   * @return the report of the restore; empty if there is no such checkpoint, and nothing changed
   * @throws io.cairn.RestoreException if such checkpoints exist and none can be restored
   */
  Optional<RestoreReport> rollBackBefore(long iteration);

  /** Leaves out minibatches of the restored training from a place on, to the pass's end at most. */
  void leaveOut(P from, long minibatches);

  /** Multiplies every learning rate of the restored training. */
  void multiplyRates(double factor);
}
