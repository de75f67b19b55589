package io.cairn.dl4j;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.StoredCheckpoints;
import io.cairn.dl4j.TrainingState.IteratorPosition;
import io.cairn.training.Certifier;
import io.cairn.training.LastResort;
import io.cairn.training.RollBack;
import io.cairn.training.Trainer;
import io.cairn.training.TroubleGuard;
import io.cairn.training.Watch;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.deeplearning4j.nn.api.Model;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;

/**
 * A training that is checkpointed after every minibatch and resumes exactly after an interruption:
 *
 * <pre>{@code
 * try (var run = CairnTraining.resume(model, iterator, "fold-" + k)) {
 *   run.fit(epochs);
 * }
 * }</pre>
 *
 * <p>The program builds model and iterator the same way at every start. {@code resume} restores the
 * newest checkpoint, if there is one: parameters, updater state, learning rates, iteration and
 * epoch counters, the training thread's random generator, activations that recurrent layers carry,
 * the iterator's position and the statistics of its normaliser. {@link #fit} then trains the
 * remaining epochs. Given the same number of OpenMP threads, parameters and updater state end bit
 * for bit as without the interruption.
 *
 * <h2>Iterators</h2>
 *
 * <p>{@code resume} reads the first minibatch, and trains it later. Types and shapes of its
 * features and labels, the values of its labels, and the class of the iterator's normaliser
 * describe the data. A checkpoint of other data is refused, unless the setting {@code accept} names
 * {@code data}.
 *
 * <p>{@code resume} repeats the {@code reset()} calls of the earlier run, and reads over the
 * minibatches that it had consumed; it seeks instead if the iterator is a {@link SeekableIterator}.
 * This is correct for every iterator whose data depend only on its construction (seed included) and
 * on the number of its resets. An example is an iterator that shuffles with its own generator at
 * each reset. A training notices an iterator that changes its data at each pass, such as a {@code
 * ViewIterator} whose normaliser writes into the arrays that it was made of. Then {@code resume}
 * reads all passes again, which is correct too. An iterator that draws from {@code
 * Nd4j.getRandom()} on the training thread for each minibatch is covered, since that generator is
 * restored last.
 *
 * <p>It is not correct for an iterator that draws from its own generator for each minibatch, or
 * from {@code Nd4j.getRandom()} at a reset, or whose source changes between starts. Checkpoints
 * hold a checksum of the features of the last minibatch. If {@code resume} reads others there, it
 * warns, and {@link #dataRecognised} is false.
 *
 * <p>Of other data that {@code accept} admits, {@code resume} reads over as many examples, at most
 * to the end of the pass. So the size of a minibatch may change.
 *
 * <h2>Listeners</h2>
 *
 * <p>The model's listeners receive the events of {@code model.fit(iterator, epochs)}. After a
 * resume in the middle of an epoch, they receive {@code onEpochStart} once more. Checkpoints hold
 * the counters of DL4J's {@code EvaluativeListener}s, which do not see that event twice. The
 * program attaches the same ones, in the same order, before {@link #fit}. Other state of listeners
 * is not saved. An exception from a listener ends {@link #fit} and reaches the caller. A listener
 * may write the model, but for {@code onForwardPass} and {@code onBackwardPass}: the last
 * checkpoint may still be copied then.
 *
 * <h2>Threads</h2>
 *
 * <p>The training thread reads the data. DL4J's asynchronous prefetch is off, since it would hide
 * the position. An iterator that reads ahead by itself is counted where the training reads it. Not
 * thread-safe: {@code resume}, {@link #fit} and {@link #close} belong to one thread.
 */
public final class CairnTraining implements AutoCloseable {
  /** The entry that describes the data. */
  static final String DATA = "data";

  private final Checkpointer checkpointer;
  private final ModelRegions regions;
  private final TrainedModel model;
  private final ModelCaptures captures;
  private final FitLoop loop;
  private final Optional<RestoreReport> restored;
  private boolean restoring;
  private @Nullable Watch<IteratorPosition> watch;

  private CairnTraining(Model network, Iterator<?> fresh, Checkpointer checkpointer) {
    this.checkpointer = checkpointer;
    this.model = TrainedModel.of(network);
    this.regions = new ModelRegions(model, checkpointer, this::requireOwnRestore);
    // reads a minibatch, which may draw from the generator that the network's init() has seeded
    TrainingData<?> data = TrainingData.of(fresh);
    this.captures = new ModelCaptures(checkpointer, System::nanoTime);
    this.loop = new FitLoop(model, regions, captures, data);
    checkpointer.describe(DATA, data.description());
    this.restored = restore(data, checkpointer::restore);
  }

  private Optional<RestoreReport> restore(
      TrainingData<?> fresh, Supplier<Optional<RestoreReport>> from) {
    captures.awaitCaptured();
    restoring = true;
    Optional<RestoreReport> report;
    try {
      report = regions.restore(from);
    } finally {
      restoring = false;
    }
    if (report.isPresent()) {
      loop.resume(fresh, regions.restored().orElseThrow());
    }
    return report;
  }

  private void requireOwnRestore(TrainingState state) {
    if (!restoring) {
      throw new RestoreException(
          "the iterator of a CairnTraining must go back with its model: call rollBackBefore");
    }
  }

  /**
   * Joins the process's {@link Cairn#current()} as an independent rank, a group of one, and resumes
   * from its newest checkpoint; see {@link #resume(Model, DataSetIterator, Checkpointer)}.
   *
   * @param group name of this training within the job; the same at every start
   */
  public static CairnTraining resume(Model model, DataSetIterator iterator, String group) {
    return resume(model, iterator, Cairn.current().join(group));
  }

  /** Like {@link #resume(Model, DataSetIterator, String)}, for several inputs or outputs. */
  public static CairnTraining resume(Model model, MultiDataSetIterator iterator, String group) {
    return resume(model, iterator, Cairn.current().join(group));
  }

  /**
   * Like {@link #resume(Model, DataSetIterator, String)}, as one rank of a coupled group. All ranks
   * resume from the same checkpoint. Waits until every rank has joined. On Spark, put a shuffle
   * after the barrier stage of the ranks: Spark aborts the job if an executor is lost in a barrier
   * stage that is the job's last stage.
   *
   * @param rank the index in the group, from 0
   * @param size ranks in the group
   */
  public static CairnTraining resume(
      Model model, DataSetIterator iterator, String group, int rank, int size) {
    return resume(model, iterator, Cairn.current().join(group, rank, size));
  }

  /**
   * Like {@link #resume(Model, DataSetIterator, String, int, int)}, for several inputs or outputs.
   */
  public static CairnTraining resume(
      Model model, MultiDataSetIterator iterator, String group, int rank, int size) {
    return resume(model, iterator, Cairn.current().join(group, rank, size));
  }

  /**
   * Takes over a rank: protects the model, restores the newest checkpoint into it, and moves the
   * iterator to its position. The application may protect further regions on the checkpointer
   * before.
   *
   * @param model a {@code MultiLayerNetwork} or {@code ComputationGraph}, initialised or not
   * @param iterator at the position where a new training starts; its first minibatch is read at
   *     once and trained later
   * @param checkpointer closed by {@link #close}, or at once if this method throws
   * @throws RestoreException if checkpoints exist and none fits this model and these data; names
   *     each difference, and leaves the model unchanged
   * @throws IllegalArgumentException if no checkpoint can hold the state of the network's training
   * @throws IllegalStateException if the iterator lacks data that the checkpoint's run had consumed
   */
  public static CairnTraining resume(
      Model model, DataSetIterator iterator, Checkpointer checkpointer) {
    return resumed(model, iterator, checkpointer);
  }

  /** Like {@link #resume(Model, DataSetIterator, Checkpointer)}, for several inputs or outputs. */
  public static CairnTraining resume(
      Model model, MultiDataSetIterator iterator, Checkpointer checkpointer) {
    return resumed(model, iterator, checkpointer);
  }

  private static CairnTraining resumed(Model model, Iterator<?> data, Checkpointer checkpointer) {
    try {
      return new CairnTraining(model, data, checkpointer);
    } catch (RuntimeException e) {
      closeAfter(e, checkpointer);
      throw e;
    }
  }

  private static void closeAfter(RuntimeException failure, Checkpointer checkpointer) {
    try {
      checkpointer.close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * A certifier of such trainings, which replays them:
   *
   * <pre>{@code
   * CairnTraining.certifier(
   *         cairn.stored("fold-1"),
   *         spare -> CairnTraining.resume(newModel(), newIterator(), spare),
   *         epochs)
   *     .certifyNewest();
   * }</pre>
   *
   * @param resume resumes a training as at every start, with the checkpointer that it receives, and
   *     without a guard
   * @param epochs of the whole training, as for {@link #fit}
   * @throws IllegalArgumentException if the group has several ranks
   */
  public static Certifier certifier(
      StoredCheckpoints stored, Function<Checkpointer, CairnTraining> resume, int epochs) {
    return new Certifier(stored, new ReplayedTraining(resume, epochs));
  }

  /**
   * Gives every later checkpoint a score, as {@link CairnListener#scoredBy} does.
   *
   * @return this training
   */
  public CairnTraining scoredBy(DoubleSupplier score) {
    captures.scoredBy(score);
    return this;
  }

  /**
   * Rolls {@link #fit} back when the loss of a minibatch is in trouble, as the guard says. The loss
   * is DL4J's {@code score()} of the minibatch. The checkpoint of a troubled iteration is never
   * taken. Listeners see a roll-back as they see a resume; other state of theirs stays as it is.
   *
   * <p>Each roll-back takes the group's next epoch, reads an iterator anew and restores, from
   * DEVICE if the checkpoint is there. A rank of a coupled group cannot roll back alone, so a group
   * of several ranks is refused. Without trouble the guard costs microseconds per minibatch, and
   * the training ends bit for bit as without it.
   *
   * @param fresh builds an iterator like that of {@code resume}, at the position where a new
   *     training starts; called once per roll-back
   * @return this training
   * @throws IllegalArgumentException if the group has several ranks; or, naming the layer, if the
   *     guard may reduce a rate that follows a schedule, or that DL4J does not change, such as that
   *     of a {@code Bidirectional}
   */
  public CairnTraining guardedBy(TroubleGuard guard, Supplier<? extends Iterator<?>> fresh) {
    if (guard.lastResort() instanceof LastResort.SmallerRate) {
      model
          .fixedRate()
          .ifPresent(
              reason -> {
                throw new IllegalArgumentException(
                    reason + ", so no guard can reduce it: choose another last resort");
              });
    }
    watch = new Watch<>(guard, new Guarded(fresh), checkpointer.member());
    loop.watchedBy(watch);
    return this;
  }

  /** The roll-backs by the guard so far; empty without a guard. */
  public List<RollBack> rollBacks() {
    return watch == null ? List.of() : watch.rollBacks();
  }

  /**
   * Trains until the training has completed {@code epochs} epochs in all, those of earlier
   * processes and calls included; returns at once if it has. A failed checkpoint does not end the
   * training. A cancellation of the rank's work does, with a {@code CancellationException}.
   *
   * <p>The last iteration goes to every level, whether it is due or not. A training that ended
   * trains nothing when it is run again.
   *
   * @param epochs at least 1
   * @throws IllegalArgumentException if the iterator cannot be reset and more than one epoch
   *     remains
   * @throws io.cairn.training.TroubleException if a guard found trouble that no roll-back removed
   */
  public void fit(int epochs) {
    loop.fit(epochs);
  }

  /**
   * Trains until {@code ending} decides so. The last iteration goes to every level. An end in the
   * middle of an epoch leaves that epoch as it is.
   *
   * @param restored decides it for the minibatch of a restored checkpoint
   * @param over whether that is the end
   */
  void fitUntil(FitLoop.Ending ending, FitLoop.Ending restored, boolean over) {
    loop.fitUntil(ending, restored, over);
  }

  /** Number of the present epoch, from 0 on in this training. */
  int epoch() {
    return loop.epoch();
  }

  /** This training, as its guard sees it. */
  private final class Guarded implements Trainer<IteratorPosition> {
    private final Supplier<? extends Iterator<?>> fresh;

    Guarded(Supplier<? extends Iterator<?>> fresh) {
      this.fresh = fresh;
    }

    @Override
    public long iteration() {
      return model.iterations() - 1L;
    }

    @Override
    public double loss() {
      return model.model().score();
    }

    @Override
    public IteratorPosition place() {
      return loop.data().lastMinibatch();
    }

    @Override
    public Optional<RestoreReport> rollBackBefore(long iteration) {
      return restore(loop.data().again(fresh.get()), () -> checkpointer.restoreBefore(iteration));
    }

    @Override
    public void leaveOut(IteratorPosition from, long minibatches) {
      loop.data().leaveOut(from, minibatches);
    }

    @Override
    public void multiplyRates(double factor) {
      model.multiplyRates(factor);
    }
  }

  /**
   * Restores the newest checkpoint of an iteration below {@code iteration}, such as after a NaN.
   * The next {@link #fit} trains from there, as after a resume. Call it between calls of {@code
   * fit}, which a listener can end by an exception.
   *
   * @param iteration such as DL4J's number of the first bad iteration
   * @param fresh an iterator built like that of {@code resume}, at the position where a new
   *     training starts; replaces it
   * @return the report of the restore; empty if there is no such checkpoint, and nothing changed
   * @throws RestoreException if such checkpoints exist and none can be restored
   * @throws IllegalStateException in the middle of an iteration, or if the iterator lacks data
   */
  public Optional<RestoreReport> rollBackBefore(long iteration, DataSetIterator fresh) {
    return rolledBack(iteration, fresh);
  }

  /** Like {@link #rollBackBefore(long, DataSetIterator)}, for several inputs or outputs. */
  public Optional<RestoreReport> rollBackBefore(long iteration, MultiDataSetIterator fresh) {
    return rolledBack(iteration, fresh);
  }

  private Optional<RestoreReport> rolledBack(long iteration, Iterator<?> fresh) {
    return restoreByProgram(fresh, () -> checkpointer.restoreBefore(iteration));
  }

  private Optional<RestoreReport> restoreByProgram(
      Iterator<?> fresh, Supplier<Optional<RestoreReport>> from) {
    Optional<RestoreReport> report = restore(TrainingData.of(fresh), from);
    if (watch != null) {
      report.ifPresent(watch::restored);
    }
    return report;
  }

  /**
   * Restores the newest checkpoint that every rank of the group can read, after another rank joined
   * again and so fenced this one. Waits until every rank has joined. The next {@link #fit} trains
   * from there, as after a resume. Call it between calls of {@code fit}; if ranks exchange data,
   * the exchange with the rank that ended usually throws.
   *
   * @param fresh as for {@link #rollBackBefore(long, DataSetIterator)}
   * @return the report of the restore; empty if there is no checkpoint, and the model stays as it
   *     is
   * @throws RestoreException if checkpoints exist and none can be restored
   * @throws IllegalStateException in the middle of an iteration, or if the iterator lacks data
   */
  public Optional<RestoreReport> rejoin(DataSetIterator fresh) {
    return restoreByProgram(fresh, checkpointer::restore);
  }

  /** Like {@link #rejoin(DataSetIterator)}, for several inputs or outputs. */
  public Optional<RestoreReport> rejoin(MultiDataSetIterator fresh) {
    return restoreByProgram(fresh, checkpointer::restore);
  }

  /** The report of the restore in {@code resume}; empty if there was no checkpoint. */
  public Optional<RestoreReport> restored() {
    return restored;
  }

  /**
   * Whether the iterator led to where the last restore went back: it returned the same features for
   * the last minibatch that the checkpoint's training had consumed. If not, which the log warns of,
   * the training does not go on bit for bit; a program that wants no such training ends here. True
   * without a restore, after an import, and with a {@link SeekableIterator}, whose data are not
   * read.
   */
  public boolean dataRecognised() {
    return loop.data().recognised();
  }

  /** Outcomes of the checkpoints so far. */
  public CaptureStatistics statistics() {
    return captures.statistics();
  }

  /** Waits, within the engine's limits, until the last checkpoints have reached their levels. */
  @Override
  public void close() {
    checkpointer.close();
    captures.summarize();
  }
}
