package io.cairn.examples.averaging;

import io.cairn.Cairn;
import io.cairn.dl4j.ModelDigest;
import io.cairn.dl4j.TrainingRounds;
import io.cairn.dl4j.averaging.ResumableAveraging;
import io.cairn.examples.averaging.WatchedWorkers.Death;
import io.cairn.spark.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.spark.api.RDDTrainingApproach;
import org.deeplearning4j.spark.api.TrainingMaster;
import org.deeplearning4j.spark.impl.graph.SparkComputationGraph;
import org.deeplearning4j.spark.impl.multilayer.SparkDl4jMultiLayer;
import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingMaster;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/**
 * A Spark application that trains a network of layers and a graph by DL4J's parameter averaging,
 * one round of each in turn, and prints each round and the digests at the end.
 */
final class AveragingApplication {
  static final int ROUNDS = 5;
  static final String ROUND = "round ";
  static final String RESUMED = "resumed ";
  static final String DIGESTS = "digests ";

  static final String LAYERS = "layers";
  static final String GRAPH = "graph";
  static final String TRAINED = "trained.txt";

  private static final int WORKERS = 2;
  private static final int EXAMPLES = 8;
  private static final int MINIBATCHES = 8;

  /** One worker's in a round, which is one split. */
  static final int MINIBATCHES_OF_A_WORKER = MINIBATCHES / WORKERS;

  private static final int INPUTS = 6;
  private static final int CLASSES = 3;

  private final Path directory;
  private final Death death;

  private AveragingApplication(Path directory, Death death) {
    this.directory = directory;
    this.death = death;
  }

  /**
   * Runs it.
   *
   * @param arguments a directory, the number of executor processes, or 0 for threads, and how one
   *     attempt of a worker dies
   */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    int executors = Integer.parseInt(arguments[1]);
    System.out.println(DIGESTS + run(directory, executors, Death.valueOf(arguments[2])));
  }

  /** The digests of both networks. */
  static String run(Path directory, int executors, Death death) throws IOException {
    SparkConf conf =
        conf(directory, executors)
            .setAppName("averaging")
            .set("spark.ui.enabled", "false")
            .set("spark.local.dir", directory.resolve("local").toString())
            .set("spark.plugins", "io.cairn.spark.CairnPlugin")
            .set("spark.cairn.job", "averaging")
            .set("spark.cairn.store", directory.resolve("store").toString())
            .set("spark.cairn.node.dir", directory.resolve("node").toString())
            .set("spark.cairn.device.cacheSize", "16m")
            .set("spark.cairn.chunkSize", "64k")
            .set("spark.cairn.cadence", "fixed")
            .set("spark.cairn.node.every", "1")
            .set("spark.cairn.store.every", "1");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      return new AveragingApplication(directory, death).train(spark);
    }
  }

  private static SparkConf conf(Path directory, int executors) throws IOException {
    return executors == 0
        ? new SparkConf()
            .setMaster("local[" + WORKERS + ",4]")
            .set("spark.driver.host", "127.0.0.1")
        : LocalCluster.conf(
                directory.resolve("spark"), executors, 1024, "-XX:+UseSerialGC -Xshare:auto")
            .set("spark.executorEnv.OMP_NUM_THREADS", "1");
  }

  private String train(JavaSparkContext spark) {
    MultiLayerNetwork layers = layers();
    layers.init();
    ComputationGraph graph = graph();
    graph.init();
    try (TrainingRounds ofLayers = TrainingRounds.resume(layers, Cairn.current().join(LAYERS));
        TrainingRounds ofGraph = TrainingRounds.resume(graph, Cairn.current().join(GRAPH))) {
      System.out.println(RESUMED + ofLayers.completed() + " " + ofGraph.completed());
      for (int k = 1; k <= ROUNDS; k++) {
        ofLayers.run(
            k,
            round -> {
              System.out.println(ROUND + round);
              new SparkDl4jMultiLayer(spark, layers, master(LAYERS, round)).fit(data(spark, round));
            });
        ofGraph.run(
            k,
            round ->
                new SparkComputationGraph(spark, graph, master(GRAPH, round))
                    .fit(data(spark, round)));
      }
    }
    return ModelDigest.of(layers) + " " + ModelDigest.of(graph);
  }

  private TrainingMaster<?, ?> master(String training, long round) {
    Path trained = directory.resolve(TRAINED);
    ParameterAveragingTrainingMaster.Builder builder = builder(round);
    return new ResumableAveraging(
        builder.trainingHooks(
            new WatchedWorkers(training, round, trained, death), new SeededWorkers(round)),
        training,
        round);
  }

  /** Averaging once per round. */
  static ParameterAveragingTrainingMaster.Builder builder(long round) {
    return new ParameterAveragingTrainingMaster.Builder(WORKERS, EXAMPLES)
        .batchSizePerWorker(EXAMPLES)
        .averagingFrequency(MINIBATCHES_OF_A_WORKER)
        .rngSeed(round)
        .rddTrainingApproach(RDDTrainingApproach.Direct);
  }

  /** The round decides the data. */
  static JavaRDD<DataSet> data(JavaSparkContext spark, long round) {
    Random random = new Random(round);
    List<DataSet> minibatches = new ArrayList<>();
    for (int k = 0; k < MINIBATCHES; k++) {
      INDArray features = Nd4j.create(EXAMPLES, INPUTS);
      INDArray labels = Nd4j.zeros(EXAMPLES, CLASSES);
      for (int row = 0; row < EXAMPLES; row++) {
        for (int column = 0; column < INPUTS; column++) {
          features.putScalar(row, column, random.nextDouble());
        }
        labels.putScalar(row, random.nextInt(CLASSES), 1);
      }
      minibatches.add(new DataSet(features, labels));
    }
    return spark.parallelize(minibatches, WORKERS);
  }

  private static NeuralNetConfiguration.Builder builder() {
    return new NeuralNetConfiguration.Builder().seed(7).updater(new Adam(0.02));
  }

  private static DenseLayer hidden() {
    return new DenseLayer.Builder()
        .nIn(INPUTS)
        .nOut(8)
        .activation(Activation.TANH)
        .dropOut(0.8)
        .build();
  }

  private static OutputLayer output() {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nIn(8)
        .nOut(CLASSES)
        .activation(Activation.SOFTMAX)
        .build();
  }

  static MultiLayerNetwork layers() {
    return new MultiLayerNetwork(
        builder()
            .list()
            .layer(hidden())
            .layer(new BatchNormalization.Builder().nIn(8).nOut(8).build())
            .layer(output())
            .build());
  }

  private static ComputationGraph graph() {
    return new ComputationGraph(
        builder()
            .graphBuilder()
            .addInputs("in")
            .addLayer("hidden", hidden(), "in")
            .addLayer("out", output(), "hidden")
            .setOutputs("out")
            .build());
  }
}
