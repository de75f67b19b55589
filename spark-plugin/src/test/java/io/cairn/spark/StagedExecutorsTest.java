package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.spark.ToyEvents.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
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

/** Two real executors with a node directory each; the one with the first name writes for both. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StagedExecutorsTest {
  private static final String GROUP = "staged";
  private static final int ITERATIONS = 400;
  private static final Pattern CONTAINER = Pattern.compile("container writer-r0000(\\d)(-s)?\\S*");

  @TempDir(cleanup = CleanupMode.NEVER)
  static Path root;

  @Test
  @Tag("proof")
  void anotherServerWritesAfterTheFirstWasKilled() throws Exception {
    SparkConf conf =
        ToyCluster.conf(root, 2, GROUP)
            .set("spark.cairn.node.dir", "node")
            .set("spark.cairn.staging", "1")
            .set("spark.cairn.node.every", "5")
            .set("spark.cairn.store.every", "10");

    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      CompletableFuture<List<String>> job = CompletableFuture.supplyAsync(() -> train(spark));
      int server = awaitStaged(job);
      ToyEvents events = new ToyEvents(root, GROUP);
      Event ofServer = events.await(job, event -> event.rank() == server);
      ToyEvents.signal("KILL", ofServer.pid());

      assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
          .containsExactlyInAnyOrder(
              "0 " + ToyRank.undisturbed(0, ITERATIONS), "1 " + ToyRank.undisturbed(1, ITERATIONS));
      assertThat(events.all("start")).extracting(Event::epoch).contains(2L);
    }

    assertThat(newest().orElseThrow().toString()).contains("/e000002-");
    assertThat(ranksThatWrote(newest().orElseThrow())).hasSize(1);
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

  /** The rank that wrote its own container of a checkpoint whose other one a server wrote. */
  private static int awaitStaged(CompletableFuture<List<String>> job) throws Exception {
    while (!job.isDone()) {
      Optional<Path> manifest = newest();
      if (manifest.isPresent()) {
        List<Integer> own = ranksThatWrote(manifest.get());
        if (own.size() == 1) {
          return own.get(0);
        }
      }
      LockSupport.parkNanos(20_000_000);
    }
    throw new AssertionError("the job ended, and nothing was staged: " + job.get());
  }

  /** The newest manifest at STORE. */
  private static Optional<Path> newest() throws IOException {
    Path group = root.resolve("store/test").resolve(GROUP);
    if (!Files.isDirectory(group)) {
      return Optional.empty();
    }
    try (Stream<Path> checkpoints = Files.list(group)) {
      return checkpoints
          .map(checkpoint -> checkpoint.resolve("MANIFEST"))
          .filter(Files::exists)
          .max(Comparator.naturalOrder());
    }
  }

  /** The ranks whose containers no server wrote; none if the manifest was just deleted. */
  private static List<Integer> ranksThatWrote(Path manifest) throws IOException {
    String text = Files.exists(manifest) ? Files.readString(manifest) : "";
    return CONTAINER
        .matcher(text)
        .results()
        .filter(found -> found.group(2) == null)
        .map(found -> Integer.parseInt(found.group(1)))
        .toList();
  }
}
