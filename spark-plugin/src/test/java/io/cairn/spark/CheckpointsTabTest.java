package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.spark.ToyEvents.Event;
import io.cairn.spark.ui.Browser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tab of a job one of whose executors is killed, and the same job in the history server. */
class CheckpointsTabTest {
  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER)
  static Path root;

  private static final int ITERATIONS = 300;
  private static final String HOSTILE = "<script>alert(1)</script>";

  /** Of executors, at the driver. */
  private static final Pattern SEALED =
      Pattern.compile("spark_driver_plugin_io_cairn_spark_CairnPlugin_store_sealed_Value.* [1-9]");

  private static final Pattern TRAINED =
      Pattern.compile("CairnPlugin_goodput_training_nanos_Value.* [1-9]");

  private final Browser browser = new Browser();

  private SparkConf conf() throws Exception {
    Path logs = Files.createDirectories(root.resolve("logs"));
    return ToyCluster.conf(root, 2, HOSTILE)
        .set("spark.ui.enabled", "true")
        .set("spark.ui.port", "0")
        .set("spark.eventLog.enabled", "true")
        .set("spark.eventLog.dir", logs.toUri().toString())
        .set("spark.metrics.namespace", "spark")
        .set(
            "spark.metrics.conf.*.sink.prometheusServlet.class",
            "org.apache.spark.metrics.sink.PrometheusServlet")
        .set("spark.metrics.conf.*.sink.prometheusServlet.path", "/metrics/prometheus")
        .set("spark.cairn.node.every", "5")
        .set("spark.cairn.store.every", "20");
  }

  @Test
  void aKilledExecutorsRankIsShownLiveAndInTheHistoryServer() throws Exception {
    String application;
    try (JavaSparkContext spark = new JavaSparkContext(conf())) {
      application = spark.sc().applicationId();
      String tab = spark.sc().uiWebUrl().get() + "/checkpoints/";
      String before = browser.page(tab);
      assertThat(before).contains("Each restore will be listed here");

      CompletableFuture<String> job =
          CompletableFuture.supplyAsync(() -> train(spark, "alone", ITERATIONS));
      Event at =
          new ToyEvents(root, "alone")
              .await(job, e -> e.what().equals("sealed") && e.iteration() >= 30);
      browser.await(tab, page -> page.contains("STORE sealed"));
      ToyEvents.signal("KILL", at.pid());
      shows(browser.await(tab, page -> page.contains(": used")));
      isRead(browser.await(tab + "?json=true", page -> hasTrained(view(page))));
      assertThat(job.get(ToyEvents.PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo(ToyRank.undisturbed(0, ITERATIONS));
      browser.await(
          spark.sc().uiWebUrl().get() + "/metrics/prometheus/",
          page -> SEALED.matcher(page).find() && TRAINED.matcher(page).find());
      assertThat(train(spark, "last", 41)).isEqualTo(ToyRank.undisturbed(0, 41));
      spark.sc().listenerBus().waitUntilEmpty();
      hasTheLastFigures(view(browser.page(tab + "?json=true")).path("ranks").path(1));
    }
    try (LocalHistory history = history()) {
      shows(browser.page(history.tab(application)));
      String page = browser.page(history.tab(application) + "?json=true");
      isRead(page);
      hasTheLastFigures(view(page).path("ranks").path(1));
    }
    // a store on disk is not replayed again
    try (LocalHistory history = history()) {
      shows(browser.page(history.tab(application)));
    }
  }

  private static LocalHistory history() {
    return LocalHistory.open(root.resolve("logs"), root.resolve("replayed"), 0);
  }

  private static String train(JavaSparkContext spark, String group, int iterations) {
    String directory = root.toString();
    return spark
        .parallelize(List.of(0), 1)
        .map(rank -> new ToyRank(directory, group, rank, 1, iterations, 20).train())
        .collect()
        .get(0);
  }

  /** Those of a rank whose task has just ended: the application may end right after. */
  private static void hasTheLastFigures(JsonNode rank) {
    assertThat(rank.path("group").asText()).isEqualTo("last");
    assertThat(rank.path("state").asText()).isEqualTo("LEFT");
    long sealed = // on a busy machine not each iteration is captured
        new ToyEvents(root, "last")
            .all("sealed").stream().mapToLong(Event::iteration).max().orElseThrow();
    assertThat(rank.path("seals").path("NODE").path("iteration").asLong())
        .isGreaterThanOrEqualTo(sealed);
  }

  /** By commands and by programs of users. */
  private static void isRead(String page) {
    JsonNode view = view(page);
    JsonNode rank = view.path("ranks").path(0);
    assertThat(rank.path("group").asText()).isEqualTo("alone");
    assertThat(rank.path("size").asInt()).isOne();
    assertThat(rank.path("captures").asLong()).isPositive();
    assertThat(rank.path("blockedNanos").asLong()).isPositive();
    assertThat(rank.path("iterationSeconds").isNumber()).isTrue();
    assertThat(rank.path("firstMillis").asLong()).isPositive();
    assertThat(rank.path("newest").path("iteration").asLong()).isPositive();
    assertThat(rank.path("seals").path("STORE").path("capturedMillis").asLong()).isPositive();
    assertThat(hasTrained(view)).isTrue();
    assertThat(view.path("restores")).isNotEmpty();
    assertThat(view.path("atMillis").asLong()).isPositive();
  }

  private static JsonNode view(String page) {
    String begin = "<script type=\"application/json\" id=\"cairn\">";
    int first = page.indexOf(begin) + begin.length();
    try {
      return new ObjectMapper().readTree(page.substring(first, page.indexOf("</script>", first)));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(page, e);
    }
  }

  /** A process that was killed early may never have told its time. */
  private static boolean hasTrained(JsonNode view) {
    return StreamSupport.stream(view.path("processes").spliterator(), false)
        .anyMatch(process -> process.path("goodputNanos").path("training").asLong() > 0);
  }

  private static void shows(String page) {
    assertThat(page)
        .contains("alone · 0", "STORE sealed", "gone at", "quarantined", "every 5", "training")
        .contains("<polygon", ": used")
        .doesNotContain(HOSTILE);
  }
}
