package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.spark.ToyEvents.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import scala.reflect.ClassTag$;

/**
 * Real executors with a node directory each, below their own working directories, as on different
 * machines. A machine is lost: its executor is killed, and its node directory is deleted. STORE has
 * iteration 0 only.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostMachinesTest {
  @TempDir(cleanup = CleanupMode.NEVER)
  static Path root;

  private static final int ITERATIONS = 400;

  /** How the ranks went on, after the machines of some were lost. */
  private static List<Event> lost(String peer, int size, List<Integer> ranks) throws Exception {
    String group = peer.replaceAll("\\W.*", "") + "-" + ranks.size();
    Path directory = Files.createDirectory(root.resolve(group));
    SparkConf conf =
        ToyCluster.conf(directory, size, group)
            .set("spark.cairn.node.dir", "node")
            .set("spark.cairn.peer", peer)
            .set("spark.cairn.peer.domain", "node")
            .set("spark.cairn.node.every", "5")
            .set("spark.cairn.peer.every", "10")
            .set("spark.cairn.store.every", "100000");

    ToyEvents events = new ToyEvents(directory, group);
    long copied;
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      CompletableFuture<List<String>> job =
          CompletableFuture.supplyAsync(() -> train(spark, directory, group, size));
      copied = events.await(job, e -> e.what().equals("copied") && e.iteration() >= 20).iteration();
      for (int rank : ranks) {
        lose(events.await(job, e -> e.what().equals("copied") && e.rank() == rank).pid());
      }
      assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, size)
                  .mapToObj(rank -> rank + " " + ToyRank.undisturbed(rank, ITERATIONS))
                  .toList());
    }

    List<Event> again =
        events.all("start").stream()
            .filter(start -> start.epoch() == 2)
            .sorted(Comparator.comparing(Event::rank))
            .toList();
    assertThat(again.stream().map(Event::rank))
        .containsExactlyElementsOf(IntStream.range(0, size).boxed().toList());
    assertThat(again.stream().map(Event::iteration).distinct()).hasSize(1);
    if (again.stream().noneMatch(start -> start.level() == Level.STORE)) {
      assertThat(again.get(0).iteration()).isGreaterThan(copied);
    }
    return again;
  }

  private static List<String> train(
      JavaSparkContext spark, Path directory, String group, int size) {
    return spark
        .parallelize(IntStream.range(0, size).boxed().toList(), size)
        .rdd()
        .barrier()
        .mapPartitions(
            new BarrierTraining(directory.toString(), group, size, ITERATIONS, 10),
            false,
            ClassTag$.MODULE$.<String>apply(String.class))
        .toJavaRDD()
        .repartition(1)
        .collect();
  }

  private static void lose(long pid) throws IOException, InterruptedException {
    Path node = Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd")).resolve("node");
    Optional<ProcessHandle> executor = ProcessHandle.of(pid);
    ToyEvents.signal("KILL", pid);
    executor.ifPresent(process -> process.onExit().join());
    try (Stream<Path> files = Files.walk(node)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static void requireAtPeer(List<Event> again, List<Integer> lost) {
    for (Event start : again) {
      assertThat(start.level())
          .as("%s", start)
          .isEqualTo(lost.contains(start.rank()) ? Level.PEER : Level.NODE);
    }
  }

  /** A nearer level may have that iteration, too, of a rank whose set is not lost. */
  private static void requireIterationOfStore(List<Event> again) {
    assertThat(again.stream().map(Event::iteration)).containsOnly(1L);
    assertThat(again.stream().map(Event::level)).contains(Level.STORE);
  }

  @Test
  void theGroupGoesOnFromThePartnersCopy() throws Exception {
    requireAtPeer(lost("partner", 2, List.of(1)), List.of(1));
  }

  @Test
  @Tag("proof")
  void theLossOfOwnerAndPartnerLeavesStore() throws Exception {
    List<Event> again = lost("partner", 2, List.of(0, 1));

    requireIterationOfStore(again);
    assertThat(again.stream().map(Event::level)).containsOnly(Level.STORE);
  }

  @Test
  @Tag("proof")
  void theGroupGoesOnFromWhatXorRebuilds() throws Exception {
    requireAtPeer(lost("xor:2", 3, List.of(1)), List.of(1));
  }

  @Test
  @Tag("proof")
  void theLossOfOneMachineMoreThanXorSurvivesLeavesStore() throws Exception {
    List<Event> again = lost("xor:2", 3, List.of(0, 1));

    requireIterationOfStore(again);
  }

  /** Two parities of each set of two ranks, on the two other machines. */
  @Test
  @Tag("proof")
  void theGroupGoesOnFromWhatReedSolomonRebuildsOfTwoMachinesAtOnce() throws Exception {
    requireAtPeer(lost("rs:2+2", 4, List.of(0, 1)), List.of(0, 1));
  }

  @Test
  @Tag("proof")
  void theLossOfOneMachineMoreThanReedSolomonSurvivesLeavesStore() throws Exception {
    List<Event> again = lost("rs:2+2", 4, List.of(0, 1, 2));

    requireIterationOfStore(again);
  }
}
