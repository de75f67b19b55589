package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.spark.standby.CairnStandby;
import io.cairn.spark.standby.RankBody;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Stages with standbys in one process: failures of bodies, and jobs that fail. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LocalStandbyTest {
  /** In local mode tasks run in this process, so they can meet. */
  private static final CyclicBarrier BOTH = new CyclicBarrier(2);

  @TempDir(cleanup = CleanupMode.NEVER)
  static Path root;

  private static @Nullable JavaSparkContext open;

  /** That of an earlier test, unless it ended. */
  private static JavaSparkContext spark() throws IOException {
    JavaSparkContext spark = open;
    if (spark == null || spark.sc().isStopped()) {
      spark = new JavaSparkContext(conf());
      open = spark;
    }
    return spark;
  }

  private static SparkConf conf() throws IOException {
    return ToyCluster.conf(root, 1, "local-standby-test")
        .setMaster("local[2,2]")
        .set("spark.cairn.device.cacheSize", "64m")
        .set("spark.cairn.standby", "1");
  }

  @AfterAll
  static void stop() throws IOException {
    spark().close();
  }

  @Test
  void aRankWhoseBodyFailsIsTrainedAgain() throws IOException {
    String marks = root.toString();
    RankBody<String> body =
        rank -> {
          if (Files.notExists(Path.of(marks, "failed-" + rank))) {
            Files.createFile(Path.of(marks, "failed-" + rank));
            throw new IllegalStateException("the first call fails");
          }
          return "rank " + rank;
        };

    assertThat(CairnStandby.map(spark(), 3, body)).containsExactly("rank 0", "rank 1", "rank 2");
  }

  @Test
  void aJobThatFailsFreesTheSlotsOfItsStandbys() throws IOException {
    JavaSparkContext spark = spark();
    RankBody<String> body =
        rank -> {
          throw new IllegalStateException("every call fails");
        };

    assertThatThrownBy(() -> CairnStandby.map(spark, 1, body))
        .hasStackTraceContaining("every call fails");

    List<Integer> met =
        spark
            .parallelize(List.of(0, 1), 2)
            .map(task -> BOTH.await(200, TimeUnit.SECONDS))
            .collect();
    assertThat(met).containsExactlyInAnyOrder(0, 1);
  }

  /** The driver is away, or Spark has killed the task. */
  @Test
  void aBodyThatFailedIsNamedIfItsTaskCannotAskAgain() throws IOException {
    JavaSparkContext spark = spark();
    RankBody<String> body =
        rank -> {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("the real reason");
        };

    assertThatThrownBy(() -> CairnStandby.map(spark, 1, body))
        .hasStackTraceContaining("the real reason");
  }

  @Test
  void thereIsAtLeastOneRank() throws IOException {
    JavaSparkContext spark = spark();

    assertThatThrownBy(() -> CairnStandby.map(spark, 0, rank -> "none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 ranks");
  }

  @Test
  void speculationIsRefused() throws IOException {
    JavaSparkContext spark = spark();
    SparkConf conf = spark.sc().conf().set("spark.speculation", "true");
    try {
      assertThatThrownBy(() -> CairnStandby.map(spark, 1, rank -> "none"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("spark.speculation");
    } finally {
      conf.remove("spark.speculation");
    }
  }

  @Test
  void aDriverWithoutThePluginIsToldTheSetting() throws IOException {
    JavaSparkContext spark = spark();
    spark.close();

    assertThatThrownBy(() -> CairnStandby.map(spark, 1, rank -> "none"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("spark.plugins");
  }
}
