package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.spark.ToyEvents.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.reflect.ClassTag$;

/**
 * Executors whose caches have four slots, and ranks whose state takes six: nothing is captured but
 * with the spare memory of others. The executors prove to each other that they know the secret.
 */
class SharingExecutorsTest {
  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER)
  static Path root;

  private static final int ITERATIONS = 150;

  private static JavaSparkContext spark;

  @BeforeAll
  static void start() throws IOException {
    SparkConf conf =
        ToyCluster.conf(root, 3, "sharing-test")
            .set("spark.authenticate", "true")
            .set("spark.authenticate.secret", "a secret of this test")
            .set("spark.network.crypto.enabled", "true")
            .set("spark.cairn.device.cacheSize", "16k")
            .set("spark.cairn.chunkSize", "4k")
            .set("spark.cairn.node.every", "5")
            .set("spark.cairn.store.every", "20");
    String options = conf.get("spark.executor.extraJavaOptions");
    conf.set("spark.executor.extraJavaOptions", options + " -Dcairn.sharing.patience=1001ms");
    spark = new JavaSparkContext(conf);
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @Test
  void whatOneExecutorCannotHoldOthersDoUntilItIsKilled() throws Exception {
    ToyEvents events = new ToyEvents(root, "alone");
    String directory = root.toString();
    CompletableFuture<String> job =
        CompletableFuture.supplyAsync(
            () ->
                spark
                    .parallelize(List.of(0), 1)
                    .map(rank -> new ToyRank(directory, "alone", rank, 1, ITERATIONS, 20).train())
                    .collect()
                    .get(0));
    Event at = events.await(job, e -> e.what().equals("sealed") && e.iteration() >= 30);
    ToyEvents.signal("KILL", at.pid());
    assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isEqualTo(ToyRank.undisturbed(0, ITERATIONS));
    List<Event> starts = events.all("start");
    assertThat(starts).hasSize(2);
    assertThat(starts.get(1).iteration()).isGreaterThan(events.sealedInEpoch(at.epoch()));
    assertThat(starts.get(1).level()).isEqualTo(Level.NODE);
    assertThat(events.sealedInEpoch(starts.get(1).epoch())).isGreaterThan(at.iteration());
  }

  /** Two ranks with two slots too few each, and one executor with four. */
  @Test
  void ranksOfACoupledGroupSealTogetherWhatNoneCanHoldAlone() throws Exception {
    ToyEvents events = new ToyEvents(root, "coupled");
    List<String> results =
        spark
            .parallelize(List.of(0, 1), 2)
            .rdd()
            .barrier()
            .mapPartitions(
                new BarrierTraining(root.toString(), "coupled", 2, 100, 10),
                false,
                ClassTag$.MODULE$.<String>apply(String.class))
            .toJavaRDD()
            .collect();
    assertThat(results)
        .containsExactlyInAnyOrder(
            "0 " + ToyRank.undisturbed(0, 100), "1 " + ToyRank.undisturbed(1, 100));
    assertThat(events.sealedInEpoch(1)).isGreaterThan(20);
    assertThat(spark.parallelize(List.of(0, 1, 2), 3).map(part -> log()).collect())
        .anySatisfy(
            log ->
                assertThat(log)
                    .contains("-Dcairn.sharing.patience=1001ms", "patience=1000ms", "the same"));
  }

  /** The standard error of this executor so far, which Spark keeps in its directory. */
  private static String log() throws IOException {
    return Files.readString(Path.of("stderr"));
  }
}
