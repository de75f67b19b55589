package io.cairn.dl4j.averaging;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import io.cairn.RestoreException;
import io.cairn.dl4j.WorkerProgress;
import java.util.Collection;
import java.util.Optional;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.TaskCompletionListener;
import org.deeplearning4j.core.storage.StatsStorageRouterProvider;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.deeplearning4j.spark.api.TrainingHook;
import org.deeplearning4j.spark.api.WorkerConfiguration;
import org.deeplearning4j.spark.api.worker.NetBroadcastTuple;
import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingResult;
import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingWorker;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.api.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker that leaves out the minibatches that an earlier attempt has trained. Each task has its
 * own, deserialised, and calls it on its thread.
 */
final class AveragingWorker extends ParameterAveragingTrainingWorker {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(AveragingWorker.class);

  private final String training;
  private final String round;
  private final boolean repeats;

  /** Whether this attempt has looked for progress. */
  private transient boolean begun;

  /** Null before the first minibatch, and if this worker cannot checkpoint. */
  private transient @Nullable WorkerProgress progress;

  /**
   * A worker of one split.
   *
   * @param training the prefix of its group's name
   * @param round unique within the training
   * @param repeats whether an earlier driver may have begun the round
   */
  AveragingWorker(
      String training,
      String round,
      boolean repeats,
      Broadcast<NetBroadcastTuple> model,
      boolean saveUpdater,
      WorkerConfiguration configuration,
      Collection<TrainingHook> hooks,
      Collection<TrainingListener> listeners,
      StatsStorageRouterProvider router) {
    super(model, saveUpdater, configuration, hooks, listeners, router);
    this.training = training;
    this.round = round;
    this.repeats = repeats;
  }

  /** DL4J calls it for a minibatch with statistics as well. */
  @Override
  public @Nullable ParameterAveragingTrainingResult processMinibatch(
      DataSet minibatch, MultiLayerNetwork network, boolean isLast) {
    boolean trained = resumed(network).filter(known -> known.isTrained(minibatch)).isPresent();
    ParameterAveragingTrainingResult result =
        trained ? null : super.processMinibatch(minibatch, network, isLast);
    done(trained, isLast);
    return trained && isLast ? getFinalResult(network) : result;
  }

  /** DL4J calls it for a {@code DataSet} of a graph as well. */
  @Override
  public @Nullable ParameterAveragingTrainingResult processMinibatch(
      MultiDataSet minibatch, ComputationGraph network, boolean isLast) {
    boolean trained = resumed(network).filter(known -> known.isTrained(minibatch)).isPresent();
    ParameterAveragingTrainingResult result =
        trained ? null : super.processMinibatch(minibatch, network, isLast);
    done(trained, isLast);
    return trained && isLast ? getFinalResult(network) : result;
  }

  private Optional<WorkerProgress> resumed(Model network) {
    if (!begun) {
      begun = true;
      progress = resume(network);
    }
    return Optional.ofNullable(progress);
  }

  private void done(boolean trained, boolean isLast) {
    WorkerProgress known = progress;
    if (known == null) {
      return;
    }
    if (!trained && !isLast) {
      known.minibatchDone();
    }
    if (isLast && known.missing() > 0) {
      LOG.warn(
          "{} was resumed with {} minibatches that its partition does not have now: their examples"
              + " may be trained twice. Give each partition the same minibatches at each attempt,"
              + " such as by Repartition.Never",
          round,
          known.missing());
    }
    if (isLast) {
      known.roundDone();
    }
  }

  /** A task that cannot checkpoint trains all the same. */
  private @Nullable WorkerProgress resume(Model network) {
    TaskContext task = TaskContext.get();
    String group = training + ".worker-" + task.partitionId();
    try {
      Checkpointer checkpointer = join(group);
      boolean again = repeats || task.attemptNumber() > 0 || task.stageAttemptNumber() > 0;
      WorkerProgress resumed =
          again
              ? WorkerProgress.resume(network, round, checkpointer)
              : WorkerProgress.begin(network, round, checkpointer);
      task.addTaskCompletionListener((TaskCompletionListener) ended -> close(group, resumed));
      if (resumed.completed() > 0) {
        LOG.info("{}: {} goes on after {} minibatches", group, round, resumed.completed());
      }
      return resumed;
    } catch (RestoreException | IllegalArgumentException e) {
      LOG.warn("{}: {} trains without checkpoints inside the round", group, round, e);
      return null;
    }
  }

  private static Checkpointer join(String group) {
    try {
      return Cairn.current().join(group);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The task has its result, which no failure here may take away. */
  private static void close(String group, WorkerProgress progress) {
    try {
      progress.close();
    } catch (RuntimeException e) {
      LOG.warn("{} was not closed in order", group, e);
    }
  }
}
