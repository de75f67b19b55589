package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.spark.ToyEvents.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
 * machines. Both ranks fail and come back on the other executor.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OtherMachinesTest {
  @TempDir(cleanup = CleanupMode.NEVER)
  static Path root;

  private static final int ITERATIONS = 60;

  /** Where each rank went on, in the second attempt. */
  private static List<Event> swapped(String group, String... settings) throws IOException {
    Path directory = Files.createDirectory(root.resolve(group));
    SparkConf conf =
        ToyCluster.conf(directory, 2, group)
            .set("spark.cairn.node.dir", "node")
            .set("spark.cairn.node.every", "5")
            .set("spark.cairn.store.every", "100000");
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    Files.createFile(directory.resolve(group + ".fail-at-33"));

    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      List<String> results =
          spark
              .parallelize(List.of(0, 1), 2)
              .rdd()
              .barrier()
              .mapPartitions(
                  new SwappingTraining(directory.toString(), group, ITERATIONS, 10),
                  false,
                  ClassTag$.MODULE$.<String>apply(String.class))
              .toJavaRDD()
              .repartition(1)
              .collect();
      assertThat(results)
          .containsExactlyInAnyOrder(
              "0 " + ToyRank.undisturbed(0, ITERATIONS), "1 " + ToyRank.undisturbed(1, ITERATIONS));
    }

    ToyEvents events = new ToyEvents(directory, group);
    List<Event> starts = events.all("start");
    List<Event> again = starts.stream().filter(start -> start.epoch() > 1).toList();
    assertThat(again.stream().map(Event::rank)).containsExactlyInAnyOrder(0, 1);
    assertThat(again.stream().map(Event::iteration).distinct()).hasSize(1);
    assertThat(again.get(0).iteration()).isGreaterThan(events.sealedInEpoch(1));
    for (Event start : again) {
      assertThat(starts)
          .as("the other executor had the rank")
          .noneMatch(
              first ->
                  first.epoch() == 1 && first.rank() == start.rank() && first.pid() == start.pid());
    }
    return again;
  }

  @Test
  void ranksThatComeBackOnOtherMachinesGoOnFromNode() throws IOException {
    List<Event> again = swapped("swapped");

    assertThat(again.stream().map(Event::level)).containsOnly(Level.NODE);
  }

  @Test
  @Tag("proof")
  void nodesAreReadWithoutSharedDeviceMemory() throws IOException {
    List<Event> again = swapped("unshared", "spark.cairn.sharing", "node");

    assertThat(again.stream().map(Event::level)).containsOnly(Level.NODE);
  }
}
