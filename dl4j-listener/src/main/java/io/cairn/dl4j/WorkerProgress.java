package io.cairn.dl4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.HeldCheckpoint;
import io.cairn.core.session.Region;
import io.cairn.core.session.RestoreException;
import io.cairn.dl4j.TrainingState.IteratorPosition;
import io.cairn.dl4j.TrainingState.ModelParts;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.deeplearning4j.nn.api.Model;

/**
 * The progress of one worker inside a round of a distributed training: a worker trains a copy of
 * the model on some minibatches and returns it. A worker that is started again goes on from the
 * newest checkpoint of the same round, with parameters, updater state, counters and the thread's
 * random generator. The checkpoints of other rounds are not restored, since their round has ended.
 *
 * <p>Two attempts are of the same round if they have its name, and began with the same model. Both
 * must receive the same minibatches in the same order.
 *
 * <p>Not thread-safe: the worker's thread calls all methods.
 */
public final class WorkerProgress implements AutoCloseable {
  private static final String ROUND = "round";

  private final Checkpointer checkpointer;
  private final TrainedModel model;
  private final ModelRegions regions;
  private final ModelCaptures captures;
  private int completed;

  private WorkerProgress(Model network, String round, Checkpointer checkpointer) {
    this.checkpointer = checkpointer;
    this.model = TrainedModel.of(network);
    byte[] own = (round + " from " + ModelDigest.of(network)).getBytes(UTF_8);
    this.regions = new ModelRegions(model, checkpointer, this::resumeFrom);
    this.captures = new ModelCaptures(checkpointer, System::nanoTime);
    checkpointer.protect(Region.of(ROUND, () -> own, bytes -> {}));
    checkpointer.describe("training", "worker");
    newestOf(new String(own, UTF_8))
        .ifPresent(held -> regions.restore(() -> checkpointer.restore(held.id())));
  }

  /**
   * Restores the newest checkpoint of a round, if there is one.
   *
   * @param model the worker's copy, as it was at the beginning of the round
   * @param round names it; unique within the training
   * @param checkpointer a group of one, of this worker; closed by {@link #close}, or at once if
   *     this method throws
   * @throws RestoreException if there is a checkpoint of the round and it cannot be restored; the
   *     model is unchanged then
   * @throws IllegalArgumentException if no checkpoint can hold the state of the model's training
   */
  public static WorkerProgress resume(Model model, String round, Checkpointer checkpointer) {
    try {
      return new WorkerProgress(model, round, checkpointer);
    } catch (RuntimeException e) {
      try {
        checkpointer.close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** Reads the small region that names the round, of one checkpoint after the other. */
  private Optional<HeldCheckpoint> newestOf(String round) {
    AtomicReference<String> found = new AtomicReference<>("");
    Region name = Region.of(ROUND, () -> new byte[0], bytes -> found.set(new String(bytes, UTF_8)));
    return checkpointer.checkpoints().stream()
        .filter(held -> checkpointer.load(held.id(), name).isPresent() && found.get().equals(round))
        .findFirst();
  }

  private void resumeFrom(TrainingState state) {
    completed = state.iteration() + 1;
    model.setCounters(Math.toIntExact(state.epochMinibatches()), state.epoch());
  }

  /**
   * Captures the model after a minibatch, at the levels that are due. A failure does not end the
   * training.
   *
   * @throws java.util.concurrent.CancellationException if the worker's task was cancelled
   */
  public void minibatchDone() {
    completed++;
    captures.captureInPlace(
        regions,
        new TrainingState(
            false,
            completed - 1,
            model.epochs(),
            model.iterations(),
            IteratorPosition.UNKNOWN,
            ThreadGenerator.state(),
            regions.openMpThreads(),
            ModelParts.NONE,
            Bytes.NONE));
  }

  /** Minibatches of this round that are complete, those of earlier attempts included. */
  public int completed() {
    return completed;
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
