package io.cairn.dl4j;

import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.RestoreException;
import io.cairn.core.session.RestoreReport;
import io.cairn.dl4j.TrainingState.IteratorPosition;
import java.util.Optional;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints a network after every iteration, for programs that drive the training loop
 * themselves; {@link CairnTraining} is simpler where it fits.
 *
 * <pre>{@code
 * var listener = new CairnListener(checkpointer);
 * listener.restore(model);               // before the loop, on the thread that trains
 * model.addListeners(listener);
 * for (long k = listener.epochMinibatches(); ...) // the loop skips what was consumed
 * }</pre>
 *
 * <p>A restore sets parameters, updater state, counters and the calling thread's random generator.
 * The program itself restores the position of its data: {@link #epochMinibatches} returns the
 * number of minibatches consumed in epoch {@code model.getEpochCount()}.
 *
 * <p>The listener captures in {@code iterationDone} and returns when the copy is complete. DL4J
 * applies a model's constraints after that call, so {@link #restore} applies them as well. Failures
 * of checkpointing never reach the training; only a cancellation does. Every failure is counted,
 * and the first of each kind is logged. If a later attempt of the group exists, the listener logs
 * one error and stops capturing.
 *
 * <p>Supports {@code MultiLayerNetwork} trained on one thread. Truncated backpropagation through
 * time is refused, since DL4J would call the listener in the middle of a minibatch. Not
 * thread-safe; the program closes the checkpointer.
 */
public final class CairnListener extends BaseTrainingListener {
  private static final Logger LOG = LoggerFactory.getLogger(CairnListener.class);

  private final Checkpointer checkpointer;
  private final ModelCaptures captures;
  private @Nullable ModelRegions regions;
  private boolean refused;
  private int epoch = -1;
  private long epochMinibatches;

  /** A listener that captures through {@code checkpointer}, and does not close it. */
  public CairnListener(Checkpointer checkpointer) {
    this.checkpointer = checkpointer;
    this.captures = new ModelCaptures(checkpointer, System::nanoTime);
  }

  /**
   * Protects the model and restores the newest checkpoint into it, if there is one.
   *
   * @return the report of the restore; empty if there was no checkpoint
   * @throws RestoreException if checkpoints exist and none fits this model; names the region and
   *     both sizes, and leaves the model unchanged
   * @throws IllegalArgumentException if the network trains with truncated backpropagation through
   *     time
   * @throws IllegalStateException if this listener has a model already
   */
  public Optional<RestoreReport> restore(MultiLayerNetwork model) {
    if (regions != null) {
      throw new IllegalStateException(
          "this listener has a model already: create one listener per training");
    }
    ModelRegions attached = attach(model);
    Optional<RestoreReport> report = attached.restore(checkpointer);
    attached.restored().ifPresent(this::resumeFrom);
    return report;
  }

  private void resumeFrom(TrainingState state) {
    epoch = state.epoch();
    epochMinibatches = state.epochMinibatches();
    ModelRegions.setRandom(state.random());
  }

  /** Minibatches consumed so far in the current epoch, those before a restore included. */
  public long epochMinibatches() {
    return epochMinibatches;
  }

  /** Outcomes of the checkpoints so far. */
  public CaptureStatistics statistics() {
    return captures.statistics();
  }

  @Override
  public void iterationDone(Model model, int iteration, int epoch) {
    epochMinibatches = epoch == this.epoch ? epochMinibatches + 1 : 1;
    this.epoch = epoch;
    ModelRegions attached = regionsOf(model);
    if (attached != null) {
      captures.capture(attached, state(attached, iteration));
    }
  }

  private TrainingState state(ModelRegions attached, int iteration) {
    return new TrainingState(
        true,
        iteration,
        epoch,
        epochMinibatches,
        IteratorPosition.UNKNOWN,
        ModelRegions.random(),
        attached.openMpThreads());
  }

  private @Nullable ModelRegions regionsOf(Model model) {
    if (refused) {
      return null;
    }
    try {
      ModelRegions attached = regions == null ? attach(model) : regions;
      attached.requireSame(model);
      return attached;
    } catch (RuntimeException e) {
      refused = true;
      LOG.error("{}: this model cannot be checkpointed", checkpointer.member(), e);
      return null;
    }
  }

  private ModelRegions attach(Model model) {
    if (!(model instanceof MultiLayerNetwork network)) {
      throw new IllegalArgumentException(
          "a " + model.getClass().getSimpleName() + ": only a MultiLayerNetwork can be captured");
    }
    if (network.getLayerWiseConfigurations().getBackpropType() == BackpropType.TruncatedBPTT) {
      throw new IllegalArgumentException(
          "the network trains with truncated backpropagation through time, which calls listeners in"
              + " the middle of a minibatch, where no training can resume: use CairnTraining");
    }
    ModelRegions attached = new ModelRegions(network, checkpointer);
    regions = attached;
    return attached;
  }
}
