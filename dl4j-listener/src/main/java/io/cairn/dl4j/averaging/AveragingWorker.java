package io.cairn.dl4j.averaging;

import io.cairn.dl4j.WorkerProgress;
import io.cairn.engine.runtime.Cairn;
import java.util.Collection;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
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
 * A worker that skips the minibatches of its partition that an earlier attempt has trained. Each
 * task has its own, deserialised, and calls it on its thread.
 */
final class AveragingWorker extends ParameterAveragingTrainingWorker {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(AveragingWorker.class);

  private final String training;
  private final String round;

  /** Minibatches of this attempt, the skipped ones included. */
  private transient int seen;

  private transient @Nullable WorkerProgress progress;

  /**
   * A worker of one split.
   *
   * @param training the prefix of its group's name
   * @param round unique within the training
   */
  AveragingWorker(
      String training,
      String round,
      Broadcast<NetBroadcastTuple> model,
      boolean saveUpdater,
      WorkerConfiguration configuration,
      Collection<TrainingHook> hooks,
      Collection<TrainingListener> listeners,
      StatsStorageRouterProvider router) {
    super(model, saveUpdater, configuration, hooks, listeners, router);
    this.training = training;
    this.round = round;
  }

  /** DL4J calls it for a minibatch with statistics as well. */
  @Override
  public @Nullable ParameterAveragingTrainingResult processMinibatch(
      DataSet minibatch, MultiLayerNetwork network, boolean isLast) {
    return next(
        network,
        isLast,
        () -> super.processMinibatch(minibatch, network, isLast),
        () -> getFinalResult(network));
  }

  /** DL4J calls it for a {@code DataSet} of a graph as well. */
  @Override
  public @Nullable ParameterAveragingTrainingResult processMinibatch(
      MultiDataSet minibatch, ComputationGraph network, boolean isLast) {
    return next(
        network,
        isLast,
        () -> super.processMinibatch(minibatch, network, isLast),
        () -> getFinalResult(network));
  }

  private @Nullable ParameterAveragingTrainingResult next(
      Model network,
      boolean isLast,
      Supplier<@Nullable ParameterAveragingTrainingResult> train,
      Supplier<ParameterAveragingTrainingResult> result) {
    if (seen == 0) {
      progress = resume(network);
    }
    WorkerProgress known = progress;
    boolean skipped = known != null && seen < known.completed();
    seen++;
    if (skipped) {
      return isLast ? result.get() : null;
    }
    ParameterAveragingTrainingResult trained = train.get();
    if (known != null && !isLast) {
      known.minibatchDone();
    }
    return trained;
  }

  /** A task that cannot checkpoint trains all the same. */
  private @Nullable WorkerProgress resume(Model network) {
    TaskContext task = TaskContext.get();
    String group = training + ".worker-" + task.partitionId();
    try {
      WorkerProgress resumed = WorkerProgress.resume(network, round, Cairn.current().join(group));
      task.addTaskCompletionListener((TaskCompletionListener) ended -> resumed.close());
      if (resumed.completed() > 0) {
        LOG.info("{}: {} resumes after {} minibatches", group, round, resumed.completed());
      }
      return resumed;
    } catch (CancellationException cancelled) {
      throw cancelled;
    } catch (RuntimeException e) {
      LOG.warn("{}: {} trains without checkpoints inside the round", group, round, e);
      return null;
    }
  }
}
