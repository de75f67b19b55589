package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import io.cairn.Region;
import io.cairn.spark.ToyEvents.Event;
import java.io.IOException;
import java.io.Serializable;
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
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import scala.collection.Iterator;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/** Two real executors with a node directory each; the one with the first name writes for both. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StagedExecutorsTest {
  private static final String GROUP = "staged";
  private static final String ALONE = "staged-alone";
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

    assertThat(newest(GROUP).orElseThrow().toString()).contains("/e000002-");
    assertThat(ranksThatWrote(newest(GROUP).orElseThrow())).hasSize(1);
  }

  private static List<String> train(JavaSparkContext spark) {
    return barrier(spark, new BarrierTraining(root.toString(), GROUP, 2, ITERATIONS, 10));
  }

  private static List<String> barrier(
      JavaSparkContext spark, AbstractFunction1<Iterator<Integer>, Iterator<String>> task) {
    return spark
        .parallelize(IntStream.range(0, 2).boxed().toList(), 2)
        .rdd()
        .barrier()
        .mapPartitions(task, false, ClassTag$.MODULE$.<String>apply(String.class))
        .toJavaRDD()
        .repartition(1)
        .collect();
  }

  /** The executor whose node has the first name has a task, which joins no rank. */
  @Test
  void anExecutorWithoutRanksWritesForTheOther() throws Exception {
    SparkConf conf =
        ToyCluster.conf(root, 2, ALONE)
            .set("spark.cairn.node.dir", "node")
            .set("spark.cairn.staging", "1")
            .set("spark.cairn.node.every", "5")
            .set("spark.cairn.store.every", "10");
    Path enough = root.resolve("enough");

    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      CompletableFuture<List<String>> job =
          CompletableFuture.supplyAsync(() -> barrier(spark, new OneRank(enough.toString())));
      while (!job.isDone() && !isStaged(newest(ALONE))) {
        LockSupport.parkNanos(20_000_000);
      }
      Files.createFile(enough);

      assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
          .containsExactlyInAnyOrder("no rank", "trained");
    }
  }

  /** Trains on one executor until a file is there; the other does nothing meanwhile. */
  private static final class OneRank extends AbstractFunction1<Iterator<Integer>, Iterator<String>>
      implements Serializable {
    private static final long serialVersionUID = 1;

    private final String enough;

    OneRank(String enough) {
      this.enough = enough;
    }

    @Override
    public Iterator<String> apply(Iterator<Integer> nothing) {
      BarrierTaskContext task = BarrierTaskContext.get();
      String own = Path.of("").toAbsolutePath().toString(); // of the executor, as its node is
      boolean trains =
          List.of(task.allGather(own)).stream().allMatch(dir -> dir.compareTo(own) <= 0);
      if (trains) {
        train();
      }
      task.barrier();
      return scala.collection.Iterator$.MODULE$.single(trains ? "trained" : "no rank");
    }

    private void train() {
      long[] state = new long[ToyRank.LENGTH];
      try (Checkpointer rank = Cairn.current().join(ALONE)) {
        rank.protect(Region.of("state", state));
        assertThat(rank.restore()).isEmpty();
        for (long i = 0; !Files.exists(Path.of(enough)); i++) {
          ToyRank.step(state, 0, i);
          rank.checkpoint(i).captured().join();
          LockSupport.parkNanos(10_000_000);
        }
      }
    }
  }

  /** Whether a server wrote the only rank's container. */
  private static boolean isStaged(Optional<Path> manifest) throws IOException {
    return manifest.isPresent()
        && CONTAINER.matcher(text(manifest.get())).results().count() == 1
        && ranksThatWrote(manifest.get()).isEmpty();
  }

  /** The rank that wrote its own container of a checkpoint whose other one a server wrote. */
  private static int awaitStaged(CompletableFuture<List<String>> job) throws Exception {
    while (!job.isDone()) {
      Optional<Path> manifest = newest(GROUP);
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

  /** The newest manifest of a group at STORE. */
  private static Optional<Path> newest(String name) throws IOException {
    Path group = root.resolve("store/test").resolve(name);
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
    return CONTAINER
        .matcher(text(manifest))
        .results()
        .filter(found -> found.group(2) == null)
        .map(found -> Integer.parseInt(found.group(1)))
        .toList();
  }

  private static String text(Path manifest) throws IOException {
    return Files.exists(manifest) ? Files.readString(manifest) : "";
  }
}
