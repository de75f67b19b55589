package io.cairn.examples.averaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Digest;
import io.cairn.dl4j.ModelDigest;
import io.cairn.dl4j.averaging.ResumableAveraging;
import io.cairn.examples.averaging.WatchedWorkers.Death;
import io.cairn.examples.averaging.WatchedWorkers.Trained;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.spark.api.TrainingMaster;
import org.deeplearning4j.spark.impl.multilayer.SparkDl4jMultiLayer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers of DL4J's parameter averaging, whose tasks Spark runs again inside a round. */
class ResumedWorkerTest {
  @TempDir Path temporary;

  @Test
  @Timeout(180)
  void aTaskThatFailedTrainsOnlyTheRest() throws IOException {
    Path disturbed = temporary.resolve("disturbed");
    String digests = AveragingApplication.run(disturbed, 0, Death.EXCEPTION);

    requireResumed(disturbed);
    assertThat(digests)
        .isEqualTo(AveragingApplication.run(temporary.resolve("undisturbed"), 0, Death.NEVER));
  }

  private static Digest trainARound(JavaSparkContext spark, TrainingMaster<?, ?> master) {
    MultiLayerNetwork network = AveragingApplication.layers();
    network.init();
    new SparkDl4jMultiLayer(spark, network, master).fit(AveragingApplication.data(spark, 0));
    return ModelDigest.of(network);
  }

  /** Executors without the plugin. */
  @Test
  void workersThatCannotCheckpointTrainAllTheSame() {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("plain")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.ui.enabled", "false");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      SeededWorkers seeded = new SeededWorkers(0);
      Digest plain =
          trainARound(spark, AveragingApplication.builder(0).trainingHooks(seeded).build());

      assertThat(
              trainARound(
                  spark,
                  new ResumableAveraging(
                      AveragingApplication.builder(0).trainingHooks(seeded), "plain", 0)))
          .isEqualTo(plain);
    }
  }

  /** The worker that died, and the one in its place, trained each minibatch once. */
  static void requireResumed(Path directory) throws IOException {
    List<Trained> all = WatchedWorkers.read(directory.resolve(AveragingApplication.TRAINED));
    for (String training : List.of(AveragingApplication.LAYERS, AveragingApplication.GRAPH)) {
      assertThat(all)
          .filteredOn(
              one ->
                  one.training().equals(training)
                      && one.round() == WatchedWorkers.DIES_IN_ROUND
                      && one.partition() == WatchedWorkers.DIES_IN_PARTITION)
          .extracting(Trained::attempt)
          .as("attempts that trained the minibatches of a worker of %s", training)
          .containsExactly(0, 0, 1, 1);
    }
  }
}
