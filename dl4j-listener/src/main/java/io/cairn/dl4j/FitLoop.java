package io.cairn.dl4j;

import io.cairn.RestoreException;
import io.cairn.dl4j.TrainingState.ModelParts;
import io.cairn.dl4j.TrainingState.RandomState;
import io.cairn.training.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a {@link CairnTraining}: epochs of DL4J's {@code fit}, a capture after each
 * minibatch, and the position in the data. Not thread-safe: the training thread owns it.
 */
final class FitLoop {
  private final TrainedModel model;
  private final ModelRegions regions;
  private final ModelCaptures captures;
  private final int firstEpoch;
  private int lastEpoch;
  private Ending ending = epochIsOver -> false;
  private TrainingData<?> data;

  /** All listeners, while some of them are off the model. */
  private List<TrainingListener> detached = List.of();

  /** Comes before the listeners of the program, which may write the model as DL4J does. */
  private final TrainingListener writes =
      new BaseTrainingListener() {
        @Override
        public void onGradientCalculation(Model updated) {
          captures.beforeUpdate();
        }

        @Override
        public void onEpochEnd(Model ended) {
          captures.awaitCaptured();
        }
      };

  private @Nullable RandomState pendingRandom;
  private @Nullable Watch<?> watch;

  /** A loop of a model that has not trained yet, on these data. */
  FitLoop(TrainedModel model, ModelRegions regions, ModelCaptures captures, TrainingData<?> data) {
    this.model = model;
    this.regions = regions;
    this.captures = captures;
    this.data = data;
    this.firstEpoch = model.epochs();
  }

  /** Decides where a training ends. */
  interface Ending {
    /**
     * Called after each minibatch, before its checkpoint is taken.
     *
     * @param epochIsOver whether it was the last of its epoch; asked at every minibatch, or at
     *     none, since the question may draw from the generator
     */
    boolean endsAfter(BooleanSupplier epochIsOver);
  }

  /** The present data. */
  TrainingData<?> data() {
    return data;
  }

  /** Asks the watch after each minibatch from now on, and rolls back if it says so. */
  void watchedBy(Watch<?> losses) {
    watch = losses;
  }

  /**
   * Goes on from a restored checkpoint.
   *
   * @param fresh at the position where a new training starts
   * @throws RestoreException if the checkpoint has no position of an iterator
   * @throws IllegalStateException if the iterator lacks data
   */
  void resume(TrainingData<?> fresh, TrainingState state) {
    data = fresh;
    if (!state.position().known()) {
      throw new RestoreException(
          "a CairnListener took this checkpoint, so it holds no iterator position: restore it with"
              + " CairnListener.restore, or name another group");
    }
    data.restoreNormalizer(state.normalizer());
    data.replay(state.position(), state.epochMinibatches(), state.minibatch());
    pendingRandom = state.random();
  }

  /** As {@link CairnTraining#fit}. */
  void fit(int epochs) {
    lastEpoch = Math.addExact(firstEpoch, epochs);
    if (epochs < 1 || (lastEpoch - model.epochs() > 1 && !data.resetSupported())) {
      throw new IllegalArgumentException(
          epochs < 1
              ? "epochs: " + epochs + ", must be at least 1"
              : "the data iterator cannot be reset, so it serves one epoch only");
    }
    Ending ofEpochs = epochIsOver -> model.epochs() == lastEpoch - 1 && epochIsOver.getAsBoolean();
    fit(ofEpochs, ofEpochs);
  }

  /** As {@link CairnTraining#fitUntil}. */
  void fitUntil(Ending decides, Ending restored, boolean over) {
    lastEpoch = over ? model.epochs() : Integer.MAX_VALUE;
    fit(decides, restored);
  }

  /**
   * Trains.
   *
   * @param over whether the restored minibatch was the last
   */
  private void fit(Ending decides, Ending over) {
    ending = decides;
    setRandom();
    if (data.inEpoch() > 0 && over.endsAfter(() -> !data.hasMore())) {
      // restored from the end: STORE may lack it
      captures.end(regions, state());
      lastEpoch = model.epochs() + (data.hasMore() ? 0 : 1);
    }
    model.addFirst(writes);
    try {
      while (model.epochs() < lastEpoch) {
        fitEpoch();
      }
    } finally {
      model.remove(writes);
      captures.awaitCaptured();
    }
  }

  /** Trains an epoch, or rolls back, or ends in its middle. */
  private void fitEpoch() {
    regions.resumeListeners();
    if (data.inEpoch() > 0) {
      withholdStart();
    }
    try {
      data.fit(model.network(), this::attachAll, this::afterMinibatch);
    } catch (LeaveException left) {
      left.then.run();
    } finally {
      attachAll();
    }
  }

  /** Listeners that count starts of epochs have counted that of the present one. */
  private void withholdStart() {
    List<TrainingListener> all = List.copyOf(model.listeners());
    List<TrainingListener> others = new ArrayList<>(all);
    if (others.removeAll(ListenerCounts.ofEpochStarts(all))) {
      detached = all;
      model.setListeners(others);
    }
  }

  private void attachAll() {
    if (!detached.isEmpty()) {
      model.setListeners(detached);
      detached = List.of();
    }
  }

  /** Leaves DL4J's loop in the middle of an epoch, which would go on with the next minibatch. */
  private static final class LeaveException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Runnable then;

    LeaveException(Runnable then) {
      super("the training leaves this epoch", null, false, false);
      this.then = then;
    }
  }

  /** Number of the present epoch, from 0 on in this training. */
  int epoch() {
    return model.epochs() - firstEpoch;
  }

  /** Restored last, since building models and reading data draw from it. */
  private void setRandom() {
    if (pendingRandom != null) {
      ThreadGenerator.set(pendingRandom);
      pendingRandom = null;
    }
  }

  private void afterMinibatch() {
    Watch<?> watching = watch;
    if (watching != null && watching.findsTrouble()) {
      throw new LeaveException(
          () -> {
            watching.recover();
            setRandom();
          });
    }
    capture();
  }

  private void capture() {
    // before the iterator is asked for more, since that may draw from the generator
    TrainingState state = state();
    if (!ending.endsAfter(() -> !data.hasMore())) {
      captures.capture(regions, state);
      return;
    }
    // the question may have left minibatches out, which a later run must not train
    boolean leftOut = !data.position().equals(state.position());
    captures.end(regions, leftOut ? state() : state);
    if (data.hasMore()) {
      throw new LeaveException(() -> lastEpoch = model.epochs());
    }
    lastEpoch = model.epochs() + 1;
  }

  private TrainingState state() {
    return new TrainingState(
            false,
            model.iterations() - 1,
            model.epochs(),
            data.inEpoch(),
            data.position(),
            ThreadGenerator.state(),
            regions.openMpThreads(),
            ModelParts.NONE,
            data.normalizer())
        .after(data.mark());
  }
}
