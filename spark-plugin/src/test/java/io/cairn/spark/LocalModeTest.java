package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.MetricRegistry;
import io.cairn.Cairn;
import io.cairn.cache.memory.Until;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.spark.ToyEvents.Event;
import io.cairn.spark.executor.ExecutorAgent;
import io.cairn.spark.metrics.KnownMetrics;
import io.cairn.spark.metrics.Metric;
import io.cairn.spark.settings.JoinAnswer;
import io.cairn.spark.settings.SparkSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/** Local mode: the driver and its only executor are one process, as in a notebook. */
@Timeout(120)
class LocalModeTest {
  @TempDir Path root;

  private SparkConf conf() throws IOException {
    return ToyCluster.conf(root, 1, "local-mode-test")
        .setMaster("local[2,2]")
        .set("spark.cairn.device.cacheSize", "64m");
  }

  private List<Path> arenas() throws IOException {
    Path arenas = root.resolve("device/arenas");
    if (Files.notExists(arenas)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(arenas)) {
      return files.toList();
    }
  }

  /** The start's answer becomes settings of Spark, which it shows, writes down and sends. */
  @Test
  void theSecretOfTheApplicationIsNoSettingOfSpark() throws Exception {
    SparkConf conf = conf().set("spark.cairn.store.required", "start");
    String plugin = "spark.plugins.internal.conf.io.cairn.spark.CairnPlugin.";
    List<String> names;
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      names = Arrays.stream(spark.sc().conf().getAll()).map(Tuple2::_1).toList();
    }
    assertThat(names)
        .contains(plugin + SparkSettings.DRIVER)
        .doesNotContain(plugin + SparkSettings.SECRET);
  }

  @Test
  void aRetriedTaskResumesInLocalMode() throws Exception {
    String directory = root.toString();
    Files.createFile(root.resolve("alone.fail-at-33"));

    try (JavaSparkContext spark = new JavaSparkContext(conf())) {
      String digest =
          spark
              .parallelize(List.of(0), 1)
              .map(rank -> new ToyRank(directory, "alone", rank, 1, 50, 1).train())
              .first();
      assertThat(digest).isEqualTo(ToyRank.undisturbed(0, 50));
    }

    List<Event> starts = new ToyEvents(root, "alone").all("start");
    assertThat(starts).hasSize(2);
    assertThat(starts.get(1).iteration()).isPositive();
    assertThat(arenas()).isEmpty();
  }

  @Test
  void anExecutorStartsWhileNodeCannotBeUsed() throws Exception {
    String directory = root.toString();
    Path file = Files.createFile(root.resolve("a-file"));
    SparkConf conf = conf().set("spark.cairn.node.dir", file.toString());

    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      String digest =
          spark
              .parallelize(List.of(0), 1)
              .map(rank -> new ToyRank(directory, "alone", rank, 1, 20, 1).train())
              .first();

      assertThat(digest).isEqualTo(ToyRank.undisturbed(0, 20));
    }

    assertThat(root.resolve("store/test/alone"))
        .isDirectoryRecursivelyContaining("glob:**/MANIFEST");
  }

  @Test
  void theDriverUsesTheApplicationsSettings() throws Exception {
    try (JavaSparkContext spark = new JavaSparkContext(conf())) {
      assertThat(spark.isLocal()).isTrue();
      assertThat(((CairnEngine) Cairn.current()).config().store())
          .isEqualTo(root.resolve("store").toString());
    }
  }

  /** As Prometheus does: Spark's servlet names a metric by its source, with underscores. */
  @Test
  void prometheusFindsTheMetrics() throws Exception {
    String directory = root.toString();
    SparkConf conf =
        conf()
            .set("spark.ui.enabled", "true")
            .set("spark.ui.port", "0")
            .set("spark.metrics.namespace", "spark")
            .set(
                "spark.metrics.conf.*.sink.prometheusServlet.class",
                "org.apache.spark.metrics.sink.PrometheusServlet")
            .set("spark.metrics.conf.*.sink.prometheusServlet.path", "/metrics/prometheus");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      spark
          .parallelize(List.of(0), 1)
          .map(rank -> new ToyRank(directory, "alone", rank, 1, 20, 1).train())
          .first();

      String address = spark.sc().uiWebUrl().get() + "/metrics/prometheus/";
      String scraped =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(address)).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();

      List<Metric> expected = new ArrayList<>(KnownMetrics.ALL);
      expected.removeAll(KnownMetrics.OF_DRIVERS);
      for (Metric metric : expected) {
        assertThat(scraped)
            .contains(
                "_plugin_io_cairn_spark_CairnPlugin_"
                    + metric.name().replaceAll("[^a-zA-Z0-9]", "_"));
      }
      assertThat(scraped)
          .containsPattern(
              "metrics_spark_driver_plugin_io_cairn_spark_CairnPlugin_captures_Value\\{.*} 20");
    }
  }

  @Test
  void withoutThePluginCurrentNamesTheSetting() throws Exception {
    try (JavaSparkContext spark = new JavaSparkContext(conf().remove("spark.plugins"))) {
      assertThat(spark.isLocal()).isTrue();
      assertThatThrownBy(() -> Cairn.current().join("run").close())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("spark.plugins=io.cairn.spark.CairnPlugin")
          .hasMessageContaining("spark.cairn.store");
    }
  }

  @Test
  void aCoupledGroupTrainsInLocalMode() throws Exception {
    try (JavaSparkContext spark = new JavaSparkContext(conf())) {
      List<String> digests =
          spark
              .parallelize(List.of(0, 1), 2)
              .rdd()
              .barrier()
              .mapPartitions(
                  new BarrierTraining(root.toString(), "coupled", 2, 30, 1),
                  false,
                  ClassTag$.MODULE$.<String>apply(String.class))
              .toJavaRDD()
              .repartition(1)
              .collect();

      assertThat(digests)
          .containsExactlyInAnyOrder(
              "0 " + ToyRank.undisturbed(0, 30), "1 " + ToyRank.undisturbed(1, 30));
    }
  }

  @Test
  void anExecutorPartThatFailsLeavesNothingBehind() throws Exception {
    Map<String, String> settings =
        Map.of(
            "store",
            root.resolve("store").toString(),
            "node.dir",
            root.resolve("node").toString(),
            "device.dir",
            root.resolve("device").toString(),
            "device.cacheSize",
            "4m",
            "driver.address",
            "localhost:1",
            "driver.secret",
            "a secret of this test");
    Set<Thread> earlier = exchanges();

    try (JavaSparkContext spark = new JavaSparkContext(conf().remove("spark.plugins"))) {
      ExecutorAgent agent = new ExecutorAgent();

      assertThatThrownBy(
              () ->
                  agent.init(
                      new LastStepFails(spark.getConf(), settings),
                      Map.of(SparkSettings.DRIVER, "localhost:1")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("spark.decommission.enabled");
    }

    assertThat(arenas()).isEmpty();
    Until.holds(() -> earlier.containsAll(exchanges()));
  }

  private static Set<Thread> exchanges() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("cairn-exchange"))
        .collect(Collectors.toSet());
  }

  /** A plugin's context with a setting that only the last step reads. */
  private record LastStepFails(SparkConf given, Map<String, String> settings)
      implements PluginContext {
    @Override
    public MetricRegistry metricRegistry() {
      return new MetricRegistry();
    }

    @Override
    public SparkConf conf() {
      return given.clone().set("spark.decommission.enabled", "sometimes");
    }

    @Override
    public String executorID() {
      return "taken";
    }

    @Override
    public String hostname() {
      return "localhost";
    }

    @Override
    public Map<String, ResourceInformation> resources() {
      return Map.of();
    }

    @Override
    public void send(Object message) throws IOException {
      throw new IOException("no driver");
    }

    @Override
    public Object ask(Object message) {
      return new JoinAnswer.Open(settings).message();
    }
  }
}
