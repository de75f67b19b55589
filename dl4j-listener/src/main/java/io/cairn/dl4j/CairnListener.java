package io.cairn.dl4j;

import io.cairn.Checkpointer;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.dl4j.TrainingState.IteratorPosition;
import io.cairn.dl4j.TrainingState.ModelParts;
import java.io.File;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints a network after every iteration, for programs that drive the training loop
 * themselves; {@link CairnTraining} is simpler where it fits.
 *
 * <pre>{@code
 * var listener = new CairnListener(checkpointer);
 * listener.restore(model);         // before the loop, on the thread that trains
 * model.addListeners(listener);
 * listener.skipConsumed(iterator); // goes to the next minibatch
 * while (model.getEpochCount() < epochs) ...
 * listener.end();                  // after the loop: keeps the last iteration
 * }</pre>
 *
 * <p>A restore sets parameters, updater state, learning rates, counters and the calling thread's
 * random generator. The program restores the position of its data by {@link #skipConsumed}, or by
 * itself: {@link #epochMinibatches} returns the number of minibatches consumed in epoch {@code
 * model.getEpochCount()}. DL4J's {@code EvaluativeListener}s of {@code ITERATION_END} that are
 * attached by the first iteration go on counting. A checkpoint of a {@link CairnTraining} describes
 * its data as well, so a listener restores it only if the setting {@code accept} names {@code
 * data}. The loop calls {@link #rollBackBefore} between iterations, such as after a NaN. A {@link
 * io.cairn.training.TroubleGuard} guards a {@code CairnTraining} alone, since a listener cannot
 * take the program's loop and its data back.
 *
 * <p>The listener captures in {@code iterationDone}, so attach it last: a checkpoint lacks what
 * listeners behind it change there. The copy goes on beside the next forward and backward pass, and
 * DL4J's update waits for its rest. A loop that writes the model itself between iterations calls
 * {@link #awaitCaptured} first. DL4J applies a model's constraints after {@code iterationDone}, so
 * a network with constraints is copied in that call, and a restore applies them as well. Failures
 * of checkpointing never reach the training; only a cancellation does. Every failure is counted,
 * and the first of each kind is logged. If a later attempt of the group exists, the listener logs
 * one error and stops capturing.
 *
 * <p>Supports {@code MultiLayerNetwork} and {@code ComputationGraph} trained on one thread by
 * stochastic gradient descent. The listener captures nothing, and logs one error with the reason,
 * where no training could resume exactly: under {@code EarlyStoppingTrainer}, {@code
 * ParallelWrapper} or DL4J's training on Spark, with a line-search solver such as L-BFGS, and with
 * truncated backpropagation through time, where DL4J would call the listener in the middle of a
 * minibatch. Layer-wise pretraining is not captured, with a warning; the fit after it is. Not
 * thread-safe; the program closes the checkpointer.
 *
 * <p>A {@link Builder} in the shape of {@code CheckpointListener}'s makes a listener with a store
 * of its own, which {@link #close} closes.
 */
public final class CairnListener extends BaseTrainingListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CairnListener.class);

  private final Checkpointer checkpointer;
  private final ModelCaptures captures;
  private final Optional<ListenerStore> own;
  private @Nullable ModelRegions regions;
  private boolean inPlace;
  private boolean refused;
  private boolean pretrained;
  private boolean another;
  private @Nullable Thread trainer;

  /** Since {@link #skipConsumed}; null for a program that finds its data by itself. */
  private @Nullable LoopTrace trace;

  private int firstEpoch;
  private int epoch = -1;
  private int iteration = -1;
  private long epochMinibatches;

  /** A listener that captures through {@code checkpointer}, and does not close it. */
  public CairnListener(Checkpointer checkpointer) {
    this(checkpointer, Optional.empty());
  }

  private CairnListener(Checkpointer checkpointer, Optional<ListenerStore> own) {
    this.checkpointer = checkpointer;
    this.captures = new ModelCaptures(checkpointer, System::nanoTime);
    this.own = own;
  }

  /**
   * Makes a listener with a store of its own, by the options of DL4J's {@code
   * CheckpointListener.Builder}. Checkpoints are those of the group {@code model} in the
   * directory's {@code store}. Iteration 0 is saved as well. Not thread-safe.
   */
  public static final class Builder {
    private final Path directory;
    private final Map<String, String> settings = new TreeMap<>();
    private CheckpointOptions options = CheckpointOptions.NONE;

    /** A builder of listeners that save below this directory. */
    public Builder(File directory) {
      this.directory = directory.toPath();
    }

    /** A builder of listeners that save below this directory. */
    public Builder(String directory) {
      this(new File(directory));
    }

    /** Saves at the end of each epoch. */
    public Builder saveEveryEpoch() {
      return saveEveryNEpochs(1);
    }

    /** Saves at the end of every n-th epoch. */
    public Builder saveEveryNEpochs(int n) {
      options = options.everyEpochs(n);
      return this;
    }

    /** Saves every n-th iteration, by the setting {@code store.every}. */
    public Builder saveEveryNIterations(int n) {
      return saveEveryNIterations(n, false);
    }

    /**
     * Like the other.
     *
     * @param sinceLast changes nothing: in both cases no more than {@code n} iterations are at risk
     */
    public Builder saveEveryNIterations(int n, boolean sinceLast) {
      options = options.everyIterations(n);
      return this;
    }

    /** Saves when the newest checkpoint is this old, by the setting {@code store.within}. */
    public Builder saveEvery(long amount, TimeUnit unit) {
      return saveEvery(amount, unit, true);
    }

    /**
     * Like the other.
     *
     * @param sinceLast changes nothing: the time always begins with the newest checkpoint, so that
     *     none is saved sooner because time has passed
     */
    public Builder saveEvery(long amount, TimeUnit unit, boolean sinceLast) {
      options = options.everyMillis(unit.toMillis(amount));
      return this;
    }

    /** Keeps all checkpoints, as without this call. */
    public Builder keepAll() {
      options = options.keeping(0, 0);
      return this;
    }

    /** Keeps the newest checkpoints, by the setting {@code keep}. */
    public Builder keepLast(int n) {
      options = options.keeping(n, 0);
      return this;
    }

    /**
     * Keeps the newest checkpoints, and every m-th of {@link #saveEveryNIterations}, by the setting
     * {@code keep}.
     */
    public Builder keepLastAndEvery(int last, int every) {
      options = options.keeping(last, every);
      return this;
    }

    /** Whether the log reports each saved checkpoint, as it does without this call. */
    public Builder logSaving(boolean log) {
      options = options.logging(log);
      return this;
    }

    /** Whether {@link #build} deletes the checkpoints of earlier listeners in the directory. */
    public Builder deleteExisting(boolean delete) {
      options = options.deleting(delete);
      return this;
    }

    /** Sets one of Cairn's own settings as well, such as {@code device.cacheSize}. */
    public Builder set(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /**
     * Opens the store. If it has checkpoints, the program restores them by {@link #restore(Model)}
     * before the first iteration, which fails otherwise.
     *
     * @throws IllegalStateException if nothing would be saved
     * @throws IllegalArgumentException naming the option or the setting, if one is not possible
     * @throws java.io.UncheckedIOException if the directory cannot be used
     */
    public CairnListener build() {
      ListenerStore own = ListenerStore.open(directory, options, settings);
      CairnListener listener = new CairnListener(own.checkpointer(), Optional.of(own));
      listener.captures.onStored(own::stored);
      return listener;
    }
  }

  /**
   * Gives every later checkpoint a score, by which STORE keeps the best ones; see the setting
   * {@code keep}. The training waits for the function, which runs after every iteration. If it
   * throws, the checkpoint has no score, and the first failure is logged.
   *
   * @param score such as {@code model::score}, DL4J's loss of the last minibatch before its update
   * @return this listener
   */
  public CairnListener scoredBy(DoubleSupplier score) {
    captures.scoredBy(score);
    return this;
  }

  /**
   * Protects the model and restores the newest checkpoint into it, if there is one. Every further
   * call, with the same model, rolls back.
   *
   * @return the report of the restore; empty if there was no checkpoint
   * @throws RestoreException if checkpoints exist and none fits this model; names the region and
   *     both sizes, and leaves the model unchanged
   * @throws IllegalArgumentException if no checkpoint can hold the whole state of its training
   * @throws IllegalStateException if this listener has another model already, or in the middle of
   *     an iteration
   */
  public Optional<RestoreReport> restore(Model model) {
    if (isAnother(model)) {
      throw new IllegalStateException(
          "this listener protects another model: create one listener per model");
    }
    ModelRegions attached = regions == null ? attach(model) : regions;
    captures.awaitCaptured();
    own.ifPresent(ListenerStore::restored);
    return attached.restore(checkpointer::restore);
  }

  /**
   * Restores the newest checkpoint of an iteration below {@code iteration}, so that the loop trains
   * that part again. Call it between iterations, on the thread that trains.
   *
   * @param iteration such as DL4J's number of the first bad iteration
   * @return the report of the restore; empty if there is no such checkpoint, and nothing changed
   * @throws RestoreException if such checkpoints exist and none can be restored
   * @throws IllegalStateException if this listener has no model yet, or in the middle of an
   *     iteration
   */
  public Optional<RestoreReport> rollBackBefore(long iteration) {
    if (regions == null) {
      throw new IllegalStateException("this listener has no model yet: call restore(model) first");
    }
    captures.awaitCaptured();
    return regions.restore(() -> checkpointer.restoreBefore(iteration));
  }

  /**
   * Moves an iterator to the minibatch that follows those of the restored checkpoint. It repeats
   * the {@code reset()} of each epoch before, and reads over the minibatches that were consumed
   * since, or seeks in a {@link SeekableIterator}. Then it restores the thread's random generator
   * again, from which the iterator may have drawn. If no minibatch is left, the epoch is over: the
   * iterator begins its next pass, and the model counts the epoch. Call it after {@link #restore}
   * or {@link #rollBackBefore}, before the next iteration. Does nothing without a checkpoint.
   *
   * <p>The position is exact for the same iterators as with {@link CairnTraining}, in a loop that
   * resets its iterator once between two epochs, as DL4J's {@code fit(iterator)} does. If the
   * iterator changes its data at each pass, all passes are read again. Call it without a checkpoint
   * as well: checkpoints then hold a checksum of the features that the network trained last. If the
   * iterator returns others there, the log warns, and {@link #dataRecognised} is false. So a loop
   * leaves changes of minibatches, such as by a normaliser, to the iterator's preprocessor.
   *
   * @param fresh at the position where a new training starts
   * @throws IllegalStateException if the iterator lacks data, an iteration followed the restore, or
   *     nothing was restored before
   */
  public void skipConsumed(DataSetIterator fresh) {
    skip(fresh.resetSupported(), fresh);
  }

  /** Like {@link #skipConsumed(DataSetIterator)}, for several inputs or outputs. */
  public void skipConsumed(MultiDataSetIterator fresh) {
    skip(fresh.resetSupported(), fresh);
  }

  private void skip(boolean resets, Iterator<?> fresh) {
    if (regions == null || iteration >= 0) {
      throw new IllegalStateException(
          "skipConsumed goes to the position of a restore: call restore(model) or rollBackBefore"
              + " right before");
    }
    LoopTrace data = new LoopTrace();
    Optional<TrainingState> restored = regions.restored();
    if (restored.isPresent() && data.goTo(epoch - firstEpoch, restored.get(), resets, fresh)) {
      regions.completeEpoch();
      epoch++;
      epochMinibatches = 0;
    }
    trace = data;
  }

  /**
   * Whether the last {@link #skipConsumed} led to where the restore went back, as {@link
   * CairnTraining#dataRecognised} says. True before.
   */
  public boolean dataRecognised() {
    LoopTrace data = trace;
    return data == null || data.recognised();
  }

  private void resumeFrom(TrainingState state) {
    trace = null;
    iteration = -1;
    epoch = state.epoch();
    epochMinibatches = state.epochMinibatches();
  }

  /** Minibatches consumed so far in the current epoch, those before a restore included. */
  public long epochMinibatches() {
    return epochMinibatches;
  }

  /**
   * Ends the training: the last iteration goes to every level, whether it is due or not, and the
   * group counts as ended. Call it after the loop, on the thread that trains, before the
   * checkpointer or this listener is closed. Does nothing without an iteration since the start or a
   * restore.
   *
   * @throws java.util.concurrent.CancellationException if the training was cancelled
   */
  public void end() {
    ModelRegions attached = regions;
    if (attached != null && iteration >= 0) {
      captures.end(attached, state(attached, false));
    }
  }

  /**
   * Waits until the last checkpoint has read the model. A program calls it before it writes the
   * model by itself, and before it takes the listener off the model.
   */
  public void awaitCaptured() {
    captures.awaitCaptured();
  }

  /** Outcomes of the checkpoints so far, but for one that is still being copied. */
  public CaptureStatistics statistics() {
    return captures.statistics();
  }

  /**
   * Saves the newest checkpoint, and closes the store of a listener that a {@link Builder} made.
   * Does nothing for other listeners, whose program closes the checkpointer. If it is not called,
   * the end of the process saves that checkpoint. A training ends by {@link #end} alone, since a
   * try statement closes the listener of one that broke off as well.
   */
  @Override
  public void close() {
    if (own.isPresent()) {
      captures.awaitCaptured();
      own.get().close();
      captures.summarize();
    }
  }

  @Override
  public void iterationDone(Model model, int iteration, int epoch) {
    if (!TrainedModel.isNetwork(model)) {
      warnOfPretraining(model);
      return;
    }
    own.ifPresent(ListenerStore::requireRestored);
    ModelRegions attached = regionsOf(model);
    if (isAnother(model)) {
      return;
    }
    boolean first = epoch != this.epoch;
    epochMinibatches = first ? 1 : epochMinibatches + 1;
    this.epoch = epoch;
    if (attached != null) {
      this.iteration = iteration;
      LoopTrace data = trace;
      if (data != null) {
        data.trained(attached.inputs(), first);
      }
      TrainingState state = state(attached, true);
      if (inPlace) {
        captures.captureInPlace(attached, state);
      } else {
        captures.capture(attached, state);
      }
    }
  }

  /** DL4J trains one layer. It counts no iteration of the network, and the fit comes later. */
  private void warnOfPretraining(Model layer) {
    if (!pretrained) {
      pretrained = true;
      LOG.warn(
          "{}: the pretraining of a {} is not checkpointed, only the fit of the whole network is:"
              + " pretrain no layer after a restore",
          checkpointer.member(),
          layer.getClass().getSimpleName());
    }
  }

  @Override
  public void onEpochEnd(Model model) {
    if (iteration >= 0 && !isAnother(model)) {
      captures.awaitCaptured(); // listeners behind this one may write the model
      own.ifPresent(store -> store.epochDone(epoch + 1));
    }
  }

  /** DL4J knows the gradients, and writes the model next. */
  @Override
  public void onGradientCalculation(Model model) {
    if (regions != null) {
      regions.resumeListeners();
    }
    captures.beforeUpdate();
  }

  /**
   * The state after the last iteration.
   *
   * @param constraintsDue whether DL4J has not applied its constraints yet
   */
  private TrainingState state(ModelRegions attached, boolean constraintsDue) {
    TrainingState state =
        new TrainingState(
            constraintsDue,
            iteration,
            epoch,
            epochMinibatches,
            IteratorPosition.UNKNOWN,
            ThreadGenerator.state(),
            attached.openMpThreads(),
            ModelParts.NONE,
            Bytes.NONE);
    LoopTrace data = trace;
    return data == null ? state : data.after(state);
  }

  /** Looks anew in each epoch, and on each new thread, which loop trains. */
  @Override
  public void onEpochStart(Model model) {
    trainer = null;
  }

  private void requireOwnLoop() {
    if (Thread.currentThread() != trainer) {
      trainer = Thread.currentThread();
      TrainingLoop.refusal()
          .ifPresent(
              reason -> {
                throw new IllegalStateException(reason);
              });
    }
  }

  private @Nullable ModelRegions regionsOf(Model model) {
    if (refused) {
      return null;
    }
    if (isAnother(model)) {
      warnOfAnother();
      return null;
    }
    try {
      requireOwnLoop();
      return regions == null ? attach(model) : regions;
    } catch (RuntimeException e) {
      refused = true;
      LOG.error(
          "{}: this training is not checkpointed: {}", checkpointer.member(), e.getMessage(), e);
      return null;
    }
  }

  /** A program may give a copy of the model the same listeners. */
  private boolean isAnother(Model model) {
    return regions != null && !regions.areOf(model);
  }

  private void warnOfAnother() {
    if (!another) {
      another = true;
      LOG.warn(
          "{}: a model that this listener does not protect called it, and is not checkpointed:"
              + " create one listener per model",
          checkpointer.member());
    }
  }

  private ModelRegions attach(Model model) {
    TrainedModel trained = TrainedModel.of(model);
    if (trained.truncatesBackpropagation()) {
      throw new IllegalArgumentException(
          "the network trains with truncated backpropagation through time, which calls listeners in"
              + " the middle of a minibatch, where no training can resume: use CairnTraining");
    }
    ModelRegions attached = new ModelRegions(trained, checkpointer, this::resumeFrom);
    regions = attached;
    firstEpoch = trained.epochs();
    inPlace = trained.hasConstraints();
    return attached;
  }
}
