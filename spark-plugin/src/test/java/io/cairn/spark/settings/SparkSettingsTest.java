package io.cairn.spark.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.engine.config.CairnConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkSettingsTest {
  @TempDir Path root;

  private static Map<String, String> from(String... settings) {
    SparkConf conf = new SparkConf(false).set("spark.app.name", "x");
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return SparkSettings.withStore(SparkSettings.from(conf), new Configuration(false));
  }

  @Test
  void takesWhatHasThePrefixAndNothingElse() {
    assertThat(from("spark.cairn.node.every", "25", "spark.cairnx", "1", "spark.cairn.job", "j"))
        .isEqualTo(Map.of("node.every", "25", "job", "j"));
  }

  @Test
  void anExecutorWithOtherPropertiesThanTheDriverIsTold() {
    String ofDriver = SparkSettings.shared(CairnConfig.of(Map.of()));
    assertThat(ofDriver)
        .isEqualTo(
            "-Dcairn.sharing.patience=1000ms -Dcairn.sharing.silence=10000ms"
                + " -Dcairn.sharing.window=5ms");
    System.setProperty("cairn.sharing.patience", "2s");
    try {
      CairnConfig here = CairnConfig.of(Map.of());
      assertThat(SparkSettings.otherThanShared(ofDriver, here, "3"))
          .hasValueSatisfying(
              warning ->
                  assertThat(warning)
                      .contains(
                          "Executor 3",
                          "by -Dcairn.sharing.patience=2000ms",
                          "the driver by " + ofDriver,
                          "spark.driver.extraJavaOptions"));
      assertThat(SparkSettings.otherThanShared(SparkSettings.shared(here), here, "3")).isEmpty();
    } finally {
      System.clearProperty("cairn.sharing.patience");
    }
  }

  @Test
  void packagesAreWarnedOfWhereNoExecutorGetsThem() {
    SparkConf conf = new SparkConf(false);
    conf.set("spark.jars.packages", "io.cairn:cairn-spark-plugin_3.5_2.12:0.1.0");
    conf.set("spark.submit.deployMode", "cluster");
    conf.set("spark.master", "spark://host:7077");
    assertThat(SparkSettings.packagesOfTheDriver(conf))
        .hasValueSatisfying(warning -> assertThat(warning).contains("--jars"));

    for (List<String> other :
        List.of(
            List.of("spark.master", "yarn"),
            List.of("spark.submit.deployMode", "client"),
            List.of("spark.jars.packages", "org.example:other:1"))) {
      assertThat(SparkSettings.packagesOfTheDriver(conf.clone().set(other.get(0), other.get(1))))
          .as("%s", other)
          .isEmpty();
    }
  }

  /** A rank of a group of one is nowhere else told from its copy. */
  @Test
  void speculationIsWarnedOfWhereSparkSpeculates() {
    SparkConf conf = new SparkConf(false);
    assertThat(SparkSettings.speculation(conf, false)).isEmpty();
    conf.set("spark.speculation", "true");

    assertThat(SparkSettings.speculation(conf, false))
        .hasValueSatisfying(
            warning -> assertThat(warning).contains("fences", "spark.speculation=false"));
    assertThat(SparkSettings.speculation(conf, true)).as("local mode").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "spark.cairn.node.evry,5,spark.cairn.node.every",
    "spark.cairn.job,../other,job",
    "spark.cairn.job,a/b,job",
    "spark.cairn.node.every,none,node.every",
    "spark.cairn.queueSize,0,queueSize"
  })
  void refusesMistakesByTheSettingsName(String setting, String value, String named) {
    assertThatThrownBy(() -> from(setting, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spark.cairn.")
        .hasMessageContaining(named);
  }

  @Test
  void theDefaultFileSystemIsRefusedByTheKeyThatItDoesNotTake() {
    Map<String, String> values = Map.of("store.hadoop.dfs.replication", "two");
    Configuration hadoop = new Configuration(false);
    hadoop.set("fs.defaultFS", "hdfs://localhost:1");

    assertThatThrownBy(() -> SparkSettings.withStore(values, hadoop))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spark.cairn.store is not set")
        .hasMessageContaining("store.hadoop.dfs.replication = two");
  }

  @Test
  void aStoreThatIsRequiredAtTheStartEndsTheApplicationThere() throws IOException {
    Path file = Files.createFile(root.resolve("a-file"));
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[1]")
            .setAppName("no-store")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.plugins", "io.cairn.spark.CairnPlugin")
            .set("spark.cairn.store.required", "start")
            .set("spark.cairn.store", file.toString());
    assertThatThrownBy(() -> new JavaSparkContext(conf).close())
        .hasMessageContaining("spark.cairn.store")
        .hasMessageContaining(file.toString());
  }
}
