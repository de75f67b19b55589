package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Cairn;
import io.cairn.Level;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.spark.ToyEvents.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.reflect.ClassTag$;

/** Jobs on real executor processes that are killed, stopped and started twice. */
class ExecutorsTest {
  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER)
  static Path root;

  /** Iterations that a slow attempt is far from the end of, whenever the next one comes. */
  private static final int LONG = 400;

  private static final int SLOW_MILLIS = 50;

  private static JavaSparkContext spark;

  @BeforeAll
  static void start() throws IOException {
    SparkConf conf =
        ToyCluster.conf(root, 3, "executors-test")
            .set("spark.cairn.node.every", "5")
            .set("spark.cairn.store.every", "20");
    spark = new JavaSparkContext(conf);
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static String runAlone(String group, int iterations, int stepMillis) {
    String directory = root.toString();
    return spark
        .parallelize(List.of(0), 1)
        .map(rank -> new ToyRank(directory, group, rank, 1, iterations, stepMillis).train())
        .collect()
        .get(0);
  }

  @Test
  void theDriverOpensCairnWithTheApplicationsSettings() {
    CairnConfig config = ((CairnEngine) Cairn.current()).config();

    assertThat(config.job()).isEqualTo("test");
    assertThat(config.store()).isEqualTo(root.resolve("store").toString());
    assertThat(config.nodeDirectory()).isEqualTo(root.resolve("node"));
  }

  @Test
  void aKilledExecutorsIndependentRankGoesOnFromNode() throws Exception {
    ToyEvents events = new ToyEvents(root, "alone");
    CompletableFuture<String> job = CompletableFuture.supplyAsync(() -> runAlone("alone", 200, 20));
    Event at = events.await(job, e -> e.what().equals("sealed") && e.iteration() >= 50);
    ToyEvents.signal("KILL", at.pid());
    assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isEqualTo(ToyRank.undisturbed(0, 200));
    List<Event> starts = events.all("start");
    assertThat(starts).hasSize(2);
    assertThat(starts.get(1).epoch()).isGreaterThan(starts.get(0).epoch());
    assertThat(starts.get(1).iteration()).isGreaterThan(events.sealedInEpoch(at.epoch()));
    assertThat(starts.get(1).level()).isEqualTo(Level.NODE);
  }

  @Test
  void bothRanksOfACoupledGroupGoOnFromTheSameCheckpoint() throws Exception {
    ToyEvents events = new ToyEvents(root, "coupled");
    CompletableFuture<List<String>> job =
        CompletableFuture.supplyAsync(
            () ->
                spark
                    .parallelize(List.of(0, 1), 2)
                    .rdd()
                    .barrier()
                    .mapPartitions(
                        new BarrierTraining(root.toString(), "coupled", 2, 200, 20),
                        false,
                        ClassTag$.MODULE$.<String>apply(String.class))
                    .toJavaRDD()
                    .repartition(1)
                    .collect());
    Event victim =
        events.await(job, e -> e.what().equals("sealed") && e.rank() == 1 && e.iteration() >= 60);
    ToyEvents.signal("KILL", victim.pid());
    assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
        .containsExactlyInAnyOrder(
            "0 " + ToyRank.undisturbed(0, 200), "1 " + ToyRank.undisturbed(1, 200));
    assertThat(events.all("interrupted").stream().map(Event::rank)).contains(0);
    List<Event> again =
        events.all("start").stream().filter(e -> e.epoch() > victim.epoch()).toList();
    assertThat(again.stream().map(Event::rank)).containsExactlyInAnyOrder(0, 1);
    assertThat(again.stream().map(Event::iteration).collect(Collectors.toSet())).hasSize(1);
    assertThat(again.get(0).iteration()).isGreaterThan(events.sealedInEpoch(victim.epoch()));
    assertThat(again.stream().map(Event::epoch).collect(Collectors.toSet())).hasSize(1);
  }

  @Test
  void aRetriedTaskTakesANewEpochAndGoesOn() throws Exception {
    Files.createFile(root.resolve("retried.fail-at-33"));
    assertThat(runAlone("retried", 50, 1)).isEqualTo(ToyRank.undisturbed(0, 50));
    ToyEvents events = new ToyEvents(root, "retried");
    List<Event> starts = events.all("start");
    assertThat(starts).hasSize(2);
    assertThat(starts.get(1).epoch()).isEqualTo(starts.get(0).epoch() + 1);
    long sealed = events.sealedInEpoch(starts.get(0).epoch());
    assertThat(sealed).as("copies that a failing attempt still finishes").isNotNegative();
    assertThat(starts.get(1).iteration()).isGreaterThan(sealed);
  }

  @Test
  void ofTwoLiveAttemptsTheLaterWinsAndTheEarlierIsFenced() throws Exception {
    ToyEvents events = new ToyEvents(root, "twins");
    CompletableFuture<String> first =
        CompletableFuture.supplyAsync(() -> runAlone("twins", LONG, SLOW_MILLIS));
    events.await(first, event -> event.what().equals("step") && event.iteration() == 25);
    String second = runAlone("twins", LONG, 0);
    assertThat(second).isEqualTo(ToyRank.undisturbed(0, LONG));
    assertThat(first.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("fenced");
    assertThat(events.all("start").stream().map(Event::epoch)).containsExactly(1L, 2L);
  }

  @Test
  void aStoppedExecutorThatWakesIsAZombieAndHarmsNothing() throws Exception {
    ToyEvents events = new ToyEvents(root, "zombie");
    CompletableFuture<String> first =
        CompletableFuture.supplyAsync(() -> runAlone("zombie", LONG, SLOW_MILLIS));
    Event at = events.await(first, event -> event.what().equals("step") && event.iteration() == 25);
    ToyEvents.signal("STOP", at.pid());
    String second;
    try {
      second = runAlone("zombie", LONG, 0);
    } finally {
      ToyEvents.signal("CONT", at.pid());
    }
    assertThat(second).isEqualTo(ToyRank.undisturbed(0, LONG));
    assertThat(first.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("fenced");
    String third = runAlone("zombie", LONG + 10, 1);
    assertThat(third).isEqualTo(ToyRank.undisturbed(0, LONG + 10));
    List<Event> starts = events.all("start");
    long sealed = events.sealedInEpoch(starts.get(1).epoch());
    assertThat(sealed).isNotNegative();
    assertThat(starts.get(2).iteration()).isGreaterThan(sealed);
  }
}
