package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.spark.ToyEvents.Event;
import io.cairn.spark.standby.CairnStandby;
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

/** Executors with ranks are killed, and a standby takes their ranks over. */
class FailoverTest {
  @TempDir(cleanup = CleanupMode.NEVER)
  static Path root;

  private static final int ITERATIONS = 600;

  private static JavaSparkContext spark;

  @BeforeAll
  static void start() throws IOException {
    SparkConf conf =
        ToyCluster.conf(root, 3, "failover-test")
            .set("spark.cairn.node.every", "1")
            .set("spark.cairn.store.every", "100000")
            .set("spark.cairn.standby", "1");
    spark = new JavaSparkContext(conf);
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  /** A rank of its own group, which ends by an exception if it is fenced. */
  private static String train(ToyRank rank) {
    String digest = rank.train();
    if (digest.equals("fenced")) {
      throw new IllegalStateException(rank.group() + " is fenced");
    }
    return digest;
  }

  @Test
  void aStandbyTakesTheRankOfAKilledExecutorOver() throws Exception {
    String directory = root.toString();
    CompletableFuture<List<String>> job =
        CompletableFuture.supplyAsync(
            () ->
                CairnStandby.map(
                    spark,
                    2,
                    rank ->
                        train(new ToyRank(directory, "alone-" + rank, 0, 1, ITERATIONS, 20))));
    ToyEvents events = new ToyEvents(root, "alone-1");
    Event victim =
        events.await(job, e -> e.what().equals("sealed") && e.iteration() >= 50);

    ToyEvents.signal("KILL", victim.pid());

    assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
        .containsExactly(ToyRank.undisturbed(0, ITERATIONS), ToyRank.undisturbed(0, ITERATIONS));
    List<Event> starts = events.all("start");
    assertThat(starts).hasSize(2);
    assertThat(starts.get(1).epoch()).isGreaterThan(victim.epoch());
    assertThat(starts.get(1).iteration()).isGreaterThan(events.sealedInEpoch(victim.epoch()));
    assertThat(starts.get(1).pid()).as("a process that waited").isLessThan(victim.pid() + 1000);
    System.out.println(starts);
  }
}
