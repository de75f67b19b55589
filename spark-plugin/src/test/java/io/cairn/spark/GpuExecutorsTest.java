package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.cache.memory.cuda.FakeCuda;
import io.cairn.spark.ToyEvents.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Executors whose device caches lie on a GPU, over a driver without one. */
class GpuExecutorsTest {
  @TempDir(cleanup = CleanupMode.NEVER)
  static Path root;

  private static JavaSparkContext spark;

  @BeforeAll
  static void start() throws IOException {
    SparkConf conf = ToyCluster.conf(root, 2, "gpu-executors-test");
    spark =
        new JavaSparkContext(
            conf.set("spark.cairn.device.kind", "cuda")
                .set(
                    "spark.executor.extraJavaOptions",
                    conf.get("spark.executor.extraJavaOptions")
                        + " -Dcairn.device.cudaLibrary="
                        + FakeCuda.library())
                .set("spark.executorEnv.FAKECUDA_KERNELS", FakeCuda.kernels())
                .set("spark.cairn.node.every", "5")
                .set("spark.cairn.store.every", "20"));
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  /** An executor without a GPU opens no Cairn, so that the training shows that the GPU was used. */
  @Test
  void aKilledExecutorsRankGoesOnFromNodeOnAnotherGpu() throws Exception {
    ToyEvents events = new ToyEvents(root, "gpu");
    String directory = root.toString();
    CompletableFuture<List<String>> job =
        CompletableFuture.supplyAsync(
            () ->
                spark
                    .parallelize(List.of(0), 1)
                    .map(rank -> new ToyRank(directory, "gpu", rank, 1, 150, 20).train())
                    .collect());
    Event at = events.await(job, e -> e.what().equals("sealed") && e.iteration() >= 50);

    ToyEvents.signal("KILL", at.pid());

    assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
        .containsExactly(ToyRank.undisturbed(0, 150));
    List<Event> starts = events.all("start");
    assertThat(starts).hasSize(2);
    assertThat(starts.get(1).iteration()).isGreaterThan(events.sealedInEpoch(at.epoch()));
    assertThat(starts.get(1).level()).isEqualTo(Level.NODE);
  }
}
