package io.cairn.dl4j;

import io.cairn.Checkpointer;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.Updater;

/**
 * A training whose iterations run elsewhere, on copies of the model: by {@code ParallelWrapper}, or
 * on Spark by {@code SparkDl4jMultiLayer} and {@code SparkComputationGraph}. The program calls it
 * in rounds. The model of this process is checkpointed after each round, when no copy trains:
 *
 * <pre>{@code
 * SparkDl4jMultiLayer spark = new SparkDl4jMultiLayer(context, network, master);
 * try (var rounds = TrainingRounds.resume(network, Cairn.current().join("averaging"))) {
 *   rounds.run(20, round -> spark.fit(data(round)));
 * }
 * }</pre>
 *
 * <p>A program that was killed starts again, restores parameters, updater state, counters and
 * learning rates as they were after the last round, and repeats the round that was under way.
 * Progress inside a round is lost, unless its workers keep a {@link WorkerProgress}. The round's
 * number decides its data, and the seed of whatever shuffles them.
 *
 * <p>The restored model is exact. The rest of the training is exact as far as a round depends only
 * on the model and its number. Threads and executors have random generators of their own, and Spark
 * adds up results as they arrive, so it often is not.
 *
 * <p>Not thread-safe: one thread calls all methods, and trains nothing else meanwhile.
 */
public final class TrainingRounds implements AutoCloseable {
  private final Checkpointer checkpointer;
  private final TrainedModel model;
  private final ModelRegions regions;
  private final ModelCaptures captures;
  private final Optional<RestoreReport> restored;
  private long completed;

  private TrainingRounds(Model network, Checkpointer checkpointer) {
    this.checkpointer = checkpointer;
    this.model = TrainedModel.of(network);
    this.regions = new ModelRegions(model, checkpointer, this::resumeFrom);
    this.captures = new ModelCaptures(checkpointer, System::nanoTime);
    checkpointer.describe("training", "rounds");
    this.restored = regions.restore(checkpointer::restore);
  }

  /**
   * Protects a model and restores the newest checkpoint, if there is one.
   *
   * @param model the one from which each round starts, and into which its result goes: that of
   *     {@code getNetwork()} on Spark, and that of the builder of a {@code ParallelWrapper}
   * @param checkpointer a group of one; closed by {@link #close}, or at once if this method throws
   * @throws RestoreException if checkpoints exist and none fits this model, which is unchanged then
   * @throws IllegalArgumentException if no checkpoint can hold the state of the model's training
   */
  public static TrainingRounds resume(Model model, Checkpointer checkpointer) {
    try {
      return new TrainingRounds(model, checkpointer);
    } catch (RuntimeException e) {
      try {
        checkpointer.close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /**
   * Runs the rounds that are left, and checkpoints after each. A failed checkpoint does not end the
   * training. The last round goes to every level.
   *
   * @param rounds in all, those of earlier attempts included
   * @param round trains one, given its number from 0; an exception ends the run without a
   *     checkpoint of that round
   */
  public void run(long rounds, LongConsumer round) {
    if (completed == rounds && restored.isPresent()) {
      captures.end(regions, state()); // restored from the end: STORE may lack it
    }
    regions.resumeListeners();
    while (completed < rounds) {
      round.accept(completed);
      completed++;
      capture(completed == rounds);
    }
  }

  private void capture(boolean last) {
    // ParallelWrapper leaves a network without updater, and the next round would make a fresh one
    Updater unused = model.newestUpdater();
    if (last) {
      captures.end(regions, state());
    } else {
      captures.captureInPlace(regions, state());
    }
  }

  /** The number of the round is the checkpoint's iteration, since DL4J may not count any. */
  private TrainingState state() {
    return TrainingState.ofRounds(completed - 1, model, regions.openMpThreads());
  }

  private void resumeFrom(TrainingState state) {
    completed = state.iteration() + 1L;
    // a checkpoint of an earlier release does not say that its iteration is a round
    model.setCounters(Math.toIntExact(state.epochMinibatches()), state.epoch());
  }

  /** Rounds that are complete, those of earlier attempts included. */
  public long completed() {
    return completed;
  }

  /** The report of the restore; empty if there was no checkpoint. */
  public Optional<RestoreReport> restored() {
    return restored;
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
