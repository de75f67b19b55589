package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.spark.ToyEvents.Event;
import io.cairn.spark.hosts.CairnHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two machines with an executor each. The executor of the only rank is killed. Its task is started
 * again at once, on another machine. STORE has iteration 0 only.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AwaitedMachinesTest {
  @TempDir(cleanup = CleanupMode.NEVER)
  static Path root;

  private static final int ITERATIONS = 180;
  private static final long KILLED_FROM = 132;

  /** The second start, what the first epoch had sealed, and the second executor's log. */
  private record Killed(Event second, long sealed, List<String> hosts, String log) {}

  /**
   * Trains and kills.
   *
   * @param stepMillis of an iteration; a wait lasts no longer than twice what was computed
   */
  private static Killed killed(String group, String nodeDirectory, String patience, int stepMillis)
      throws Exception {
    Path directory = Files.createDirectory(root.resolve(group));
    SparkConf conf =
        ToyCluster.conf(directory, 2, group)
            .set("spark.cairn.node.dir", nodeDirectory)
            .set("spark.cairn.node.patience", patience)
            .set("spark.cairn.node.every", "1")
            .set("spark.cairn.store.every", "100000");
    ToyEvents events = new ToyEvents(directory, group);
    List<String> hosts;
    String log;
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      String where = directory.toString();
      CompletableFuture<List<String>> job =
          CompletableFuture.supplyAsync(
              () ->
                  CairnHosts.ranks(spark, List.of(""))
                      .map(
                          rank ->
                              new ToyRank(where, group, rank, 1, ITERATIONS, stepMillis).train())
                      .collect());
      Event sealed =
          events.await(job, e -> e.what().equals("sealed") && e.iteration() >= KILLED_FROM);
      hosts = CairnHosts.of(group, 1);

      ToyEvents.signal("KILL", sealed.pid());

      assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
          .containsExactly(ToyRank.undisturbed(0, ITERATIONS));
      assertThat(spark.sc().getPreferredLocs(CairnHosts.ranks(spark, hosts).rdd(), 0).head().host())
          .isEqualTo(hosts.get(0));
      log = log(events.all("start").get(1).pid());
    }
    List<Event> starts = events.all("start");
    assertThat(starts).hasSize(2);
    assertThat(starts.get(1).pid()).isNotEqualTo(starts.get(0).pid());
    return new Killed(starts.get(1), events.sealedInEpoch(1), hosts, log);
  }

  /** The coordinator of a rank on its own is in its executor. */
  private static String log(long pid) throws IOException {
    Path directory = Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"));
    return Files.readString(directory.resolve("stderr"));
  }

  /** A worker's next executor serves what the one before it has sealed. */
  @Test
  void aRankThatComesBackElsewhereWaitsForItsMachine() throws Exception {
    Killed killed = killed("served-again", "../../node", "60s", 125);

    assertThat(killed.second().level()).isEqualTo(Level.NODE);
    assertThat(killed.second().iteration()).isGreaterThan(killed.sealed());
    assertThat(killed.hosts()).hasSize(1).doesNotContain("");
    assertThat(killed.log()).isNotEmpty().doesNotContain("is out of reach");
  }

  /** Each executor has a directory of its own, so no other one serves it. */
  @Test
  void aMachineThatStaysAwayIsReportedWithTheWorkThatIsLost() throws Exception {
    Killed killed = killed("never-again", "node", "2s", 25);

    assertThat(killed.second().level()).isEqualTo(Level.STORE);
    assertThat(killed.second().iteration()).isEqualTo(1);
    assertThat(killed.log())
        .containsPattern("e1-i\\d+ at \\S+:\\S+/node is out of reach; \\d+ iterations");
  }
}
