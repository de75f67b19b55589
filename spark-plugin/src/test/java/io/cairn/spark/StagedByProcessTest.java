package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Compression;
import io.cairn.engine.coordination.HttpAddress;
import io.cairn.engine.coordination.HttpService;
import io.cairn.engine.nodes.StagingProcess;
import io.cairn.engine.nodes.StagingTerms;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import scala.reflect.ClassTag$;

/** Two real executors, and a staging server that is none; it writes for both. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StagedByProcessTest {
  private static final String GROUP = "staged-by-process";
  private static final String SECRET = "a secret of the job";
  private static final int ITERATIONS = 40;

  @TempDir(cleanup = CleanupMode.NEVER)
  static Path root;

  @Test
  void executorsFindTheServerByTheSetting() throws Exception {
    StagingTerms terms =
        new StagingTerms(
            new HttpAddress(HttpService.STAGING, "127.0.0.1", 0, Optional.of(SECRET)),
            0,
            16 << 20,
            2,
            4 << 20,
            Compression.NONE);
    try (CheckpointStore store = CheckpointStores.open(root.resolve("store").toString());
        StagingProcess server = new StagingProcess(terms, store)) {
      SparkConf conf =
          ToyCluster.conf(root, 2, GROUP)
              .set("spark.cairn.staging", "127.0.0.1:" + server.port())
              .set("spark.cairn.secret", SECRET)
              .set("spark.cairn.node.every", "5")
              .set("spark.cairn.store.every", "10");
      try (JavaSparkContext spark = new JavaSparkContext(conf)) {
        assertThat(train(spark))
            .containsExactlyInAnyOrder(
                "0 " + ToyRank.undisturbed(0, ITERATIONS),
                "1 " + ToyRank.undisturbed(1, ITERATIONS));
      }

      assertThat(server.progress().containers()).as("of both ranks").isGreaterThanOrEqualTo(4);
      assertThat(server.progress().failed()).isZero();
    }
  }

  private static List<String> train(JavaSparkContext spark) {
    return spark
        .parallelize(IntStream.range(0, 2).boxed().toList(), 2)
        .rdd()
        .barrier()
        .mapPartitions(
            new BarrierTraining(root.toString(), GROUP, 2, ITERATIONS, 10),
            false,
            ClassTag$.MODULE$.<String>apply(String.class))
        .toJavaRDD()
        .repartition(1)
        .collect();
  }
}
