package io.cairn.dl4j;

import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.RestoreException;
import io.cairn.core.session.RestoreReport;
import io.cairn.dl4j.TrainingState.RandomState;
import io.cairn.engine.runtime.Cairn;
import java.util.Optional;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * A training that is checkpointed after every minibatch and goes on, after any interruption, as if
 * it had never been interrupted:
 *
 * <pre>{@code
 * try (var run = CairnTraining.resume(model, iterator, "fold-" + k)) {
 *   run.fit(epochs);
 * }
 * }</pre>
 *
 * <p>The program builds model and iterator the same way at every start. {@code resume} restores the
 * newest checkpoint, if there is one: parameters, updater state, iteration and epoch counters, the
 * training thread's random generator and the iterator's position. {@link #fit} then trains the
 * epochs that remain. Parameters and updater state end up bit for bit as without the interruption,
 * given equal OpenMP threads.
 *
 * <p><b>Iterators.</b> The position is restored by as many calls of {@code reset()} as the first
 * run made, and by reading over the minibatches that it had consumed. This is right for every
 * iterator whose data depend only on how it was made (its seed included) and on the number of its
 * resets, such as one that shuffles with its own generator at each reset. It is not right for an
 * iterator that draws from a generator of its own as it hands out each minibatch, or whose source
 * changes between starts. One that draws from {@code Nd4j.getRandom()} on the training thread is
 * covered, since that generator's state is restored last.
 *
 * <p><b>Listeners</b> of the model see the events of {@code model.fit(iterator, epochs)}; after a
 * resume in the middle of an epoch, {@code onEpochStart} comes once more for it. Their own state is
 * not saved. An exception that one throws ends {@link #fit} and reaches the caller.
 *
 * <p>Data are read on the training thread, without DL4J's asynchronous prefetch, which would hide
 * the position. Not thread-safe: {@code resume}, {@link #fit} and {@link #close} belong to one
 * thread.
 */
public final class CairnTraining implements AutoCloseable {
  private final MultiLayerNetwork model;
  private final DataSetIterator source;
  private final Checkpointer checkpointer;
  private final TrainingIterator iterator;
  private final ModelRegions regions;
  private final ModelCaptures captures;
  private final Optional<RestoreReport> restored;
  private final int firstEpoch;
  private @Nullable RandomState pendingRandom;

  private CairnTraining(
      MultiLayerNetwork model, DataSetIterator source, Checkpointer checkpointer) {
    this.model = model;
    this.source = source;
    this.checkpointer = checkpointer;
    this.firstEpoch = model.getEpochCount();
    this.regions = new ModelRegions(model, checkpointer);
    this.captures = new ModelCaptures(checkpointer, System::nanoTime);
    this.iterator = new TrainingIterator(source, this::capture);
    this.restored = regions.restore(checkpointer);
    regions.restored().ifPresent(this::goOn);
  }

  /**
   * Joins the process's {@link Cairn#current()} as an independent rank, a group of one, and goes on
   * from its newest checkpoint; see {@link #resume(MultiLayerNetwork, DataSetIterator,
   * Checkpointer)}.
   *
   * @param group names this training within the job; the same at every start
   */
  public static CairnTraining resume(
      MultiLayerNetwork model, DataSetIterator iterator, String group) {
    return resume(model, iterator, Cairn.current().join(group));
  }

  /**
   * Like {@link #resume(MultiLayerNetwork, DataSetIterator, String)}, as one rank of a coupled
   * group, whose ranks all go on from the same checkpoint. Waits until every rank has joined.
   *
   * @param rank the index in the group, from 0
   * @param size ranks in the group
   */
  public static CairnTraining resume(
      MultiLayerNetwork model, DataSetIterator iterator, String group, int rank, int size) {
    return resume(model, iterator, Cairn.current().join(group, rank, size));
  }

  /**
   * Takes over a rank: protects the model, restores the newest checkpoint into it and brings the
   * iterator to its position. Further regions of the application can be protected on the
   * checkpointer before.
   *
   * @param model initialised or not; its updater state and parameters stay where they are
   * @param iterator where a training that starts anew would take it
   * @param checkpointer closed by {@link #close}, or at once if this throws
   * @throws RestoreException if there are checkpoints and none fits this model; it names the region
   *     and both sizes, and the model is unchanged
   * @throws IllegalStateException if the iterator has not the data that the checkpoint's run had
   */
  public static CairnTraining resume(
      MultiLayerNetwork model, DataSetIterator iterator, Checkpointer checkpointer) {
    try {
      return new CairnTraining(model, iterator, checkpointer);
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
   * Trains until the training has had {@code epochs} epochs in all, those of earlier processes and
   * calls included; returns at once if it had. A checkpoint that fails does not fail it; only a
   * cancellation of the rank's work does, with a {@code CancellationException}.
   *
   * @param epochs at least 1
   * @throws IllegalArgumentException if the iterator cannot be reset and more than one epoch is to
   *     go
   */
  public void fit(int epochs) {
    int lastEpoch = Math.addExact(firstEpoch, epochs);
    if (epochs < 1 || (lastEpoch - model.getEpochCount() > 1 && !source.resetSupported())) {
      throw new IllegalArgumentException(
          epochs < 1
              ? "epochs: " + epochs + ", must be at least 1"
              : "the data iterator cannot be reset, so that it serves one epoch only");
    }
    if (pendingRandom != null) {
      // last of all: building models and reading data draw from it
      ModelRegions.setRandom(pendingRandom);
      pendingRandom = null;
    }
    while (model.getEpochCount() < lastEpoch) {
      iterator.beginEpoch();
      model.fit(iterator);
      iterator.endEpoch();
    }
  }

  /** What {@code resume} restored; empty if the training started anew. */
  public Optional<RestoreReport> restored() {
    return restored;
  }

  /** What became of the checkpoints until now. */
  public CaptureStatistics statistics() {
    return captures.statistics();
  }

  /** Waits, within the engine's limits, until the last checkpoints are where they belong. */
  @Override
  public void close() {
    checkpointer.close();
    captures.summarize();
  }

  private void goOn(TrainingState state) {
    if (!state.position().known()) {
      throw new RestoreException(
          "the checkpoint was taken by a CairnListener and holds no iterator position: restore it"
              + " with CairnListener.restore, or name another group");
    }
    iterator.replay(state.position(), state.epochMinibatches());
    pendingRandom = state.random();
  }

  private void capture() {
    captures.capture(
        regions,
        new TrainingState(
            false,
            model.getIterationCount() - 1,
            model.getEpochCount(),
            iterator.inEpoch(),
            iterator.position(),
            ModelRegions.random(),
            regions.openMpThreads()));
  }
}
