package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark gives up executors that have no tasks, whatever they lend, and asks for new ones when tasks
 * wait. The rank's state takes six slots, its executor has four.
 */
class DynamicAllocationTest {
  @TempDir(cleanup = CleanupMode.NEVER)
  static Path root;

  private static final String GROUP = "dynamic";
  private static final String TRAINING = "training";
  private static final int WITHOUT_END = 1_000_000;

  private static JavaSparkContext spark;

  @BeforeAll
  static void start() throws IOException {
    SparkConf conf =
        ToyCluster.conf(root, 3, "dynamic-allocation-test")
            .set("spark.dynamicAllocation.enabled", "true")
            .set("spark.dynamicAllocation.shuffleTracking.enabled", "true")
            .set("spark.dynamicAllocation.initialExecutors", "3")
            .set("spark.dynamicAllocation.minExecutors", "1")
            .set("spark.dynamicAllocation.maxExecutors", "3")
            .set("spark.dynamicAllocation.executorIdleTimeout", "2s")
            .set("spark.cairn.device.cacheSize", "16k")
            .set("spark.cairn.chunkSize", "4k")
            .set("spark.cairn.node.every", "1")
            .set("spark.cairn.store.every", "100000");
    spark = new JavaSparkContext(conf);
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static CompletableFuture<String> train(int iterations) {
    String directory = root.toString();
    return CompletableFuture.supplyAsync(
        () -> {
          spark.setJobGroup(TRAINING, "trains", true);
          return spark
              .parallelize(List.of(0), 1)
              .map(rank -> new ToyRank(directory, GROUP, rank, 1, iterations, 10).train())
              .collect()
              .get(0);
        });
  }

  /** Has two more executors busy until they are released by this name. */
  private static CompletableFuture<Void> occupyOthers(String release) {
    Path released = root.resolve(release);
    String file = released.toString();
    return CompletableFuture.runAsync(
        () ->
            spark
                .parallelize(List.of(0, 1), 2)
                .foreach(
                    task -> {
                      while (!Files.exists(Path.of(file))) {
                        TimeUnit.MILLISECONDS.sleep(20);
                      }
                    }));
  }

  private static void awaitExecutors(CompletableFuture<?> job, int number) throws Exception {
    while (executors() != number && !job.isDone()) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static int executors() {
    return spark.sc().getExecutorMemoryStatus().size() - 1; // without the driver
  }

  private static long newestStep(ToyEvents events) {
    return events.all("step").stream().mapToLong(Event::iteration).max().orElse(-1);
  }

  @Test
  @Tag("proof")
  @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void checkpointsNeedLendersAndTrainingDoesNot() throws Exception {
    ToyEvents events = new ToyEvents(root, GROUP);
    CompletableFuture<String> job = train(WITHOUT_END);
    CompletableFuture<Void> first = occupyOthers("first");
    events.await(job, event -> event.what().equals("sealed") && event.iteration() > 0);
    Files.createFile(root.resolve("first"));
    first.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS);

    awaitExecutors(job, 1);
    long alone = newestStep(events);
    events.await(job, event -> event.what().equals("step") && event.iteration() > alone + 50);

    CompletableFuture<Void> second = occupyOthers("second");
    awaitExecutors(job, 3);
    long together = newestStep(events);
    events.await(job, event -> event.what().equals("sealed") && event.iteration() > together);
    Files.createFile(root.resolve("second"));
    second.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(events.all("start")).as("attempts").hasSize(1);

    spark.sc().cancelJobGroup(TRAINING);
    assertThat(job).failsWithin(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS);
    int end = (int) newestStep(events) + 20;
    assertThat(train(end).get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isEqualTo(ToyRank.undisturbed(0, end));
    List<Event> starts = events.all("start");
    assertThat(starts.get(1).iteration()).isGreaterThan(together);
  }
}
