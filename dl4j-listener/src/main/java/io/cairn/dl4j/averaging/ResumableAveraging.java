package io.cairn.dl4j.averaging;

import io.cairn.internal.PathSegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.spark.api.WorkerConfiguration;
import org.deeplearning4j.spark.api.worker.NetBroadcastTuple;
import org.deeplearning4j.spark.impl.graph.SparkComputationGraph;
import org.deeplearning4j.spark.impl.multilayer.SparkDl4jMultiLayer;
import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingMaster;
import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingWorker;

/**
 * Parameter averaging whose workers checkpoint their progress by the executor's {@code Cairn}.
 * Spark runs the task of a lost executor again, and the new worker goes on from the newest
 * checkpoint of its partition instead of the beginning. The same holds for the first split of a
 * round that a killed driver repeats:
 *
 * <pre>{@code
 * rounds.run(
 *     20,
 *     round -> {
 *       var master = new ResumableAveraging(builder(round), "digits", round);
 *       new SparkDl4jMultiLayer(context, network, master).fit(data(round));
 *     });
 * }</pre>
 *
 * <p>The new worker leaves out the minibatches that the lost one had trained, by their values. Its
 * result is the undisturbed one bit for bit if they come in the same order. DL4J repartitions by
 * default, and a shuffle of Spark has no order: {@code repartitionData(Repartition.Never)} keeps
 * that of the program's RDD. If its data are others, the log says how many are missing.
 *
 * <p>Worth it where one split of a round takes long: each task joins its group, and waits for its
 * last checkpoints when it ends. Worker <i>p</i> is the group <i>name</i>{@code .worker-}<i>p</i>.
 * A worker that cannot checkpoint warns and trains without.
 *
 * <p>Not thread-safe, as its superclass: one instance serves one round, on the driver.
 */
public final class ResumableAveraging extends ParameterAveragingTrainingMaster {
  /** Trainings of which this process has begun a round. */
  private static final Set<String> BEGUN = ConcurrentHashMap.newKeySet();

  private final String name;
  private final long round;

  /** Whether an earlier driver may have begun this round. */
  private final boolean repeats;

  private int splits;

  /**
   * Averages as the builder says.
   *
   * @param name of the training; one path segment, unique within the job
   * @param round decides the model from which it begins, its data and their order
   * @throws IllegalArgumentException if the name is not legal
   */
  public ResumableAveraging(Builder builder, String name, long round) {
    super(builder);
    PathSegment.require("training", name);
    this.name = name;
    this.round = round;
    this.repeats = BEGUN.add(name);
  }

  @Override
  public ParameterAveragingTrainingWorker getWorkerInstance(SparkDl4jMultiLayer spark) {
    MultiLayerNetwork network = spark.getNetwork();
    return worker(
        spark.getSparkContext(),
        new NetBroadcastTuple(
            network.getLayerWiseConfigurations(),
            network.params(),
            network.getUpdater().getStateViewArray()));
  }

  @Override
  public ParameterAveragingTrainingWorker getWorkerInstance(SparkComputationGraph spark) {
    ComputationGraph network = spark.getNetwork();
    return worker(
        spark.getSparkContext(),
        new NetBroadcastTuple(
            network.getConfiguration(),
            network.params(),
            network.getUpdater().getStateViewArray()));
  }

  /** DL4J asks for one per split of the data. */
  private AveragingWorker worker(JavaSparkContext spark, NetBroadcastTuple model) {
    boolean graph = model.getGraphConfiguration() != null;
    WorkerConfiguration configuration =
        new WorkerConfiguration(
            graph,
            rddDataSetNumExamples,
            batchSizePerWorker,
            averagingFrequency,
            prefetchNumBatches,
            collectTrainingStats);
    return new AveragingWorker(
        name,
        "round " + round + " split " + splits++,
        repeats,
        spark.broadcast(model),
        saveUpdater,
        configuration,
        trainingHookList,
        listeners,
        getRouterProvider());
  }
}
