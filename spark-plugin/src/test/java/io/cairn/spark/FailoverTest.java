package io.cairn.spark;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.spark.ToyEvents.Event;
import io.cairn.spark.standby.CairnStandby;
import io.cairn.spark.standby.RankBody;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Executors with ranks are killed, and a standby in a process that runs already takes over. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailoverTest {
  @TempDir(cleanup = CleanupMode.NEVER)
  static Path root;

  private static final int ITERATIONS = 150;
  private static final int STEP_MILLIS = 20;

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

  /** Ranks of two, which begin when a standby waits, so that it is there when one is killed. */
  private record Ranks(String directory, String group, boolean coupled)
      implements RankBody<String> {
    private static final long serialVersionUID = 1;

    @Override
    public void warm() throws IOException {
      Files.writeString(Path.of(directory, group + ".waits-" + ProcessHandle.current().pid()), "");
    }

    @Override
    public String train(int rank) {
      awaitStandby();
      if (coupled) {
        return new RejoiningRank(new ToyRank(directory, group, rank, 2, ITERATIONS, STEP_MILLIS))
            .train();
      }
      String own = group + "-" + rank;
      String digest = new ToyRank(directory, own, 0, 1, ITERATIONS, STEP_MILLIS).train();
      if (digest.equals("fenced")) {
        throw new IllegalStateException(own + " is fenced");
      }
      return digest;
    }

    private void awaitStandby() {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ToyEvents.PATIENCE_SECONDS);
      while (waited(Path.of(directory), group).isEmpty() && System.nanoTime() < end) {
        LockSupport.parkNanos(20_000_000);
      }
    }

    CompletableFuture<List<String>> start() {
      return CompletableFuture.supplyAsync(() -> CairnStandby.map(spark, 2, this));
    }
  }

  /** The processes of tasks that waited. */
  private static Set<Long> waited(Path directory, String group) {
    String prefix = group + ".waits-";
    try (var files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(prefix))
          .map(name -> Long.parseLong(name.substring(prefix.length())))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aStandbyTakesTheRankOfAKilledExecutorOver() throws Exception {
    CompletableFuture<List<String>> job = new Ranks(root.toString(), "alone", false).start();
    ToyEvents events = new ToyEvents(root, "alone-1");
    Event victim = events.await(job, e -> e.what().equals("sealed"));
    Set<Long> waiting = waited(root, "alone");

    ToyEvents.signal("KILL", victim.pid());

    assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
        .containsExactly(ToyRank.undisturbed(0, ITERATIONS), ToyRank.undisturbed(0, ITERATIONS));
    List<Event> starts = events.all("start");
    assertThat(starts).hasSize(2);
    assertThat(starts.get(1).epoch()).isGreaterThan(victim.epoch());
    assertThat(starts.get(1).iteration()).isGreaterThan(events.sealedInEpoch(victim.epoch()));
    assertThat(waiting).contains(starts.get(1).pid());
  }

  /** The other rank goes back with it, in its own task. */
  @Test
  void aStandbyTakesARankOfACoupledGroupOver() throws Exception {
    CompletableFuture<List<String>> job = new Ranks(root.toString(), "coupled", true).start();
    ToyEvents events = new ToyEvents(root, "coupled");
    Event victim = events.await(job, e -> e.what().equals("sealed") && e.rank() == 1);
    Event other = events.await(job, e -> e.what().equals("start") && e.rank() == 0);
    Set<Long> waiting = waited(root, "coupled");

    ToyEvents.signal("KILL", victim.pid());

    assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
        .containsExactly(ToyRank.undisturbed(0, ITERATIONS), ToyRank.undisturbed(1, ITERATIONS));
    List<Event> again =
        events.all("start").stream()
            .filter(e -> e.epoch() > victim.epoch())
            .sorted(Comparator.comparing(Event::rank))
            .toList();
    assertThat(again.stream().map(Event::rank)).containsExactly(0, 1);
    assertThat(again.stream().map(Event::iteration).distinct())
        .singleElement(as(InstanceOfAssertFactories.LONG))
        .isGreaterThan(events.sealedInEpoch(victim.epoch()));
    assertThat(again.get(0).pid()).isEqualTo(other.pid());
    assertThat(waiting).contains(again.get(1).pid());
  }
}
