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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
  Path root;

  private JavaSparkContext spark;

  @BeforeEach
  void start() throws IOException {
    spark = new JavaSparkContext(conf());
  }

  private SparkConf conf() throws IOException {
    return ToyCluster.conf(root, 1, "local-standby-test")
        .setMaster("local[2,2]")
        .set("spark.cairn.device.cacheSize", "64m")
        .set("spark.cairn.standby", "1");
  }

  @AfterEach
  void stop() {
    spark.close();
  }

  @Test
  void aRankWhoseBodyFailsIsTrainedAgain() {
    String marks = root.toString();
    RankBody<String> body =
        rank -> {
          if (Files.notExists(Path.of(marks, "failed-" + rank))) {
            Files.createFile(Path.of(marks, "failed-" + rank));
            throw new IllegalStateException("the first call fails");
          }
          return "rank " + rank;
        };

    assertThat(CairnStandby.map(spark, 3, body)).containsExactly("rank 0", "rank 1", "rank 2");
  }

  @Test
  void aJobThatFailsFreesTheSlotsOfItsStandbys() {
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
  void aBodyThatFailedIsNamedIfItsTaskCannotAskAgain() {
    RankBody<String> body =
        rank -> {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("the real reason");
        };

    assertThatThrownBy(() -> CairnStandby.map(spark, 1, body))
        .hasStackTraceContaining("the real reason");
  }

  @Test
  void thereIsAtLeastOneRank() {
    assertThatThrownBy(() -> CairnStandby.map(spark, 0, rank -> "none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 ranks");
  }

  @Test
  void speculationIsRefused() throws IOException {
    spark.close();
    spark = new JavaSparkContext(conf().set("spark.speculation", "true"));

    assertThatThrownBy(() -> CairnStandby.map(spark, 1, rank -> "none"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("spark.speculation");
  }

  @Test
  void aDriverWithoutThePluginIsToldTheSetting() {
    spark.close();

    assertThatThrownBy(() -> CairnStandby.map(spark, 1, rank -> "none"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("spark.plugins");
  }
}
