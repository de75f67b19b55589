package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import io.cairn.spark.ToyEvents.Event;
import io.cairn.spark.ui.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Screenshots of the tab in a browser without a screen: a live job, the same one after an executor
 * was killed, and its history. They go to {@code -Dcairn.screenshots}.
 */
@Tag("proof")
class ScreenshotsTest {
  private static final Path BROWSER = Path.of("/usr/bin/chromium");
  private static final int RANKS = 3;
  private static final int ITERATIONS = 600;

  /** Numbers of a state that does not fit a cache. */
  private static final int LARGE = 10_000;

  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER)
  static Path root;

  private final Path images =
      Path.of(System.getProperty("cairn.screenshots", "target/screenshots")).toAbsolutePath();
  private final Browser reader = new Browser();

  private static SparkConf conf() throws IOException {
    Path logs = Files.createDirectories(root.resolve("logs"));
    return ToyCluster.conf(root, RANKS + 1, "cross-validation")
        .set("spark.ui.enabled", "true")
        .set("spark.ui.port", "0")
        .set("spark.eventLog.enabled", "true")
        .set("spark.eventLog.dir", logs.toUri().toString())
        .set("spark.scheduler.minRegisteredResourcesRatio", "1")
        .set("spark.scheduler.maxRegisteredResourcesWaitingTime", "120s")
        .set("spark.cairn.device.cacheSize", "64k")
        .set("spark.cairn.chunkSize", "4k")
        .set("spark.cairn.node.every", "10")
        .set("spark.cairn.store.every", "50");
  }

  @Test
  void aLiveJobAKilledExecutorAndTheirHistory() throws Exception {
    assumeTrue(Files.isExecutable(BROWSER), "there is no " + BROWSER);
    Files.createDirectories(images);
    String application;
    try (JavaSparkContext spark = new JavaSparkContext(conf())) {
      application = spark.sc().applicationId();
      String tab = spark.sc().uiWebUrl().get() + "/checkpoints/";
      CompletableFuture<List<String>> job = CompletableFuture.supplyAsync(() -> train(spark));
      ToyEvents events = new ToyEvents(root, "fold-1");
      events.await(job, e -> e.what().equals("sealed") && e.iteration() >= 150);
      reader.await(tab, page -> page.contains("Measured"));
      shoot(tab, "ui-live.png", 1_750);
      Event at = events.await(job, e -> e.what().equals("sealed") && e.iteration() >= 200);
      ToyEvents.signal("KILL", at.pid());
      events.await(job, e -> e.what().equals("sealed") && e.epoch() > at.epoch());
      reader.await(tab, page -> page.contains(": used"));
      shoot(tab, "ui-killed-executor.png", 1_000);
      shoot(tab, "ui-dark.png", 1_000, "--blink-settings=preferredColorScheme=0");
      assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS)).hasSize(RANKS);
    }
    Path store = root.resolve("replayed");
    try (LocalHistory history = LocalHistory.open(root.resolve("logs"), store, 0)) {
      reader.await(history.tab(application), page -> page.contains(": used"));
      shoot(history.tab(application), "ui-history.png", 1_750);
    }
  }

  private static List<String> train(JavaSparkContext spark) {
    String directory = root.toString();
    return spark
        .parallelize(IntStream.range(0, RANKS).boxed().toList(), RANKS)
        .map(fold -> rank(directory, fold).train())
        .collect();
  }

  /** One of the ranks needs the memory of others. */
  private static ToyRank rank(String directory, int fold) {
    int length = fold == 2 ? LARGE : LARGE / 4;
    return new ToyRank(directory, "fold-" + fold, 0, 1, ITERATIONS, 100, length);
  }

  private void shoot(String address, String name, int height, String... more)
      throws IOException, InterruptedException {
    Path file = images.resolve(name);
    try (ChildProcess browser =
        Command.of(
                Stream.concat(Stream.of(command(address, file, height)), Stream.of(more))
                    .toArray(String[]::new))
            .withErrorsInOutput()
            .outputTo(root.resolve("browser.log"))
            .start()) {
      assertThat(browser.exitStatus()).as("see %s", root.resolve("browser.log")).isZero();
    }
    assertThat(file).isNotEmptyFile();
  }

  private static String[] command(String address, Path file, int height) {
    return new String[] {
      BROWSER.toString(),
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--hide-scrollbars",
      "--window-size=1240," + height,
      "--user-data-dir=" + root.resolve("browser"),
      "--screenshot=" + file,
      address
    };
  }
}
