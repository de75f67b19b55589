package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.spark.ToyEvents.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.cluster.CoarseGrainedSchedulerBackend;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/** Executors that are taken away with notice: what they hold at DEVICE alone is not lost. */
class DecommissionTest {
  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER)
  static Path root;

  private static final int ITERATIONS = 300;
  private static final int STEP_MILLIS = 20;

  /** The executor of each task that starts; Spark's status tracker may know it seconds later. */
  private static final BlockingQueue<String> STARTED = new LinkedBlockingQueue<>();

  private static JavaSparkContext spark;

  /** Below DEVICE only iteration 0 is due. */
  @BeforeAll
  static void start() throws IOException {
    SparkConf conf =
        ToyCluster.conf(root, 2, "decommission-test")
            .set("spark.decommission.enabled", "true")
            .set("spark.executor.decommission.forceKillTimeout", "2s")
            .set("spark.cairn.chunkSize", "64k")
            .set("spark.cairn.node.every", "100000")
            .set("spark.cairn.store.every", "100000");
    spark = new JavaSparkContext(conf);
    spark
        .sc()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskStart(SparkListenerTaskStart start) {
                STARTED.add(start.taskInfo().executorId());
              }
            });
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  private static CompletableFuture<String> train(String group) {
    String directory = root.toString();
    return CompletableFuture.supplyAsync(
        () ->
            spark
                .parallelize(List.of(0), 1)
                .map(r -> new ToyRank(directory, group, r, 1, ITERATIONS, STEP_MILLIS).train())
                .collect()
                .get(0));
  }

  private static long storedCheckpoints(String group) throws IOException {
    Path directory = root.resolve("store/test/" + group);
    try (Stream<Path> checkpoints = Files.list(directory)) {
      return checkpoints.filter(each -> Files.exists(each.resolve("MANIFEST"))).count();
    }
  }

  private static void requireResumed(CompletableFuture<String> job, ToyEvents events, long from)
      throws Exception {
    assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isEqualTo(ToyRank.undisturbed(0, ITERATIONS));
    List<Event> starts = events.all("start");
    assertThat(starts).hasSize(2);
    assertThat(starts.get(1).iteration()).isGreaterThanOrEqualTo(from);
    assertThat(starts.get(1).level()).isIn(Level.NODE, Level.STORE);
  }

  @Test
  void aSignalSavesTheNewestCheckpointBeforeTheExecutorIsKilled() throws Exception {
    ToyEvents events = new ToyEvents(root, "signal");
    CompletableFuture<String> job = train("signal");
    Event at = events.await(job, e -> e.what().equals("step") && e.iteration() >= 50);
    ToyEvents.signal("PWR", at.pid());
    while (storedCheckpoints("signal") < 2 && !job.isDone()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    ToyEvents.signal("KILL", at.pid());
    requireResumed(job, events, 50);
  }

  /** The driver decommissions without a signal: the executor shuts down while its task runs. */
  @Test
  void aDecommissionByTheDriverIsNoticedAtShutdown() throws Exception {
    STARTED.clear();
    ToyEvents events = new ToyEvents(root, "driver");
    CompletableFuture<String> job = train("driver");
    String executor = STARTED.take();
    events.await(job, e -> e.what().equals("step") && e.iteration() >= 50);
    CoarseGrainedSchedulerBackend backend =
        (CoarseGrainedSchedulerBackend) spark.sc().schedulerBackend();
    backend.decommissionExecutor(
        executor, new ExecutorDecommissionInfo("test", Option.empty()), false, false);
    requireResumed(job, events, 50);
  }
}
