package io.cairn.spark.settings;

import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.KnownSettings;
import io.cairn.engine.config.Setting;
import io.cairn.engine.config.StartSettings;
import io.cairn.flush.store.HadoopValues;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/** Reads the settings {@code spark.cairn.*}. */
public final class SparkSettings {
  /** The prefix of every setting's name. */
  public static final String PREFIX = "spark.cairn.";

  /** The driver's address, which it adds for its executors; not a setting of users. */
  public static final String DRIVER = "driver.address";

  /** Whether there is a desk at that address, which the driver adds; not a setting of users. */
  public static final String DESK = "driver.desk";

  /** Whether executors report figures for pages, which the driver adds; not a setting of users. */
  public static final String ROUNDS = "driver.rounds";

  /** The identity of the driver's store, which the driver adds; not a setting of users. */
  public static final String STORE_IDENTITY = "store.identity";

  /** The driver's properties of sharing, which it adds; not a setting of users. */
  public static final String SHARING = "driver.sharing";

  /** The secret that the driver makes; not a setting of users, and none of Spark's. */
  public static final String SECRET = "driver.secret";

  private SparkSettings() {}

  /** The properties of the JVM that all processes of an application are to have alike. */
  public static String shared(CairnConfig config) {
    return config.sharing().properties().entrySet().stream()
        .map(each -> "-D" + each.getKey() + "=" + each.getValue().toMillis() + "ms")
        .collect(Collectors.joining(" "));
  }

  /**
   * Compares properties of the JVM, which a user gives to driver and executors apart.
   *
   * @param ofDriver {@link #shared} of the driver
   * @return a warning; empty if this process has the same
   */
  public static Optional<String> otherThanShared(
      String ofDriver, CairnConfig here, String executor) {
    String own = shared(here);
    return own.equals(ofDriver)
        ? Optional.empty()
        : Optional.of(
            "Executor %s shares device memory by %s, and the driver by %s: give both the same, by"
                    .formatted(executor, own, ofDriver)
                + " spark.executor.extraJavaOptions and spark.driver.extraJavaOptions, or in client"
                + " mode by spark-submit --driver-java-options");
  }

  /**
   * Whether Spark may run a rank's task a second time beside the first.
   *
   * @param local whether Spark runs in local mode, which never does
   * @return a warning; empty if not
   */
  public static Optional<String> speculation(SparkConf conf, boolean local) {
    return local || !conf.getBoolean("spark.speculation", false)
        ? Optional.empty()
        : Optional.of(
            "spark.speculation runs a slow task a second time, whose rank fences the first one: set"
                + " spark.speculation=false");
  }

  /**
   * Whether Cairn came to the driver by a way that leads to no executor. Executors that lack a
   * plugin fail, and Spark replaces them for ever.
   *
   * @return a warning; empty if not
   */
  public static Optional<String> packagesOfTheDriver(SparkConf conf) {
    boolean standalone = conf.get("spark.master", "").startsWith("spark://");
    boolean atWorker = conf.get("spark.submit.deployMode", "client").equals("cluster");
    return standalone && atWorker && conf.get("spark.jars.packages", "").contains("cairn")
        ? Optional.of(
            "A standalone cluster brings --packages to no executor if the driver runs there, too:"
                + " name Cairn's jars with --jars, or executors do not start")
        : Optional.empty();
  }

  /** The number of ports that are tried after the first, as by Spark's own services. */
  public static int portRetries(SparkConf conf) {
    return conf.getInt("spark.port.maxRetries", 16);
  }

  /**
   * The settings by name, without the prefix. Asks no file system.
   *
   * @throws IllegalArgumentException naming the setting, if one is unknown or not legal
   */
  public static Map<String, String> from(SparkConf conf) {
    Map<String, String> values = new TreeMap<>();
    for (Tuple2<String, String> entry : conf.getAllWithPrefix(PREFIX)) {
      values.put(entry._1(), entry._2());
    }
    KnownSettings.require(values, PREFIX);
    try {
      StartSettings.of(values);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("in " + PREFIX + "*: " + e.getMessage(), e);
    }
    return values;
  }

  /**
   * These settings with the store's default resolved, so that every process of the application uses
   * the same store.
   *
   * @throws IllegalArgumentException if the default file system cannot be reached
   */
  public static Map<String, String> withStore(Map<String, String> settings, Configuration hadoop) {
    Map<String, String> values = new TreeMap<>(settings);
    if (values.getOrDefault(Setting.STORE.name(), "").isBlank()) {
      defaultStore(hadoop, values);
    }
    return values;
  }

  private static void defaultStore(Configuration ofSpark, Map<String, String> values) {
    Configuration hadoop = HadoopValues.with(ofSpark, CairnConfig.of(values).storeHadoop());
    URI root = FileSystem.getDefaultUri(hadoop);
    String scheme = root.getScheme();
    if (scheme != null && !scheme.equals("file")) {
      try (FileSystem files = FileSystem.newInstance(hadoop)) {
        values.put(Setting.STORE.name(), files.getHomeDirectory().toUri() + "/cairn");
      } catch (IOException | RuntimeException e) {
        throw new IllegalArgumentException(
            PREFIX
                + "store is not set, and the default file system cannot be reached: "
                + HadoopValues.refusal(root.toString(), hadoop, e)
                    .map(Throwable::getMessage)
                    .orElseGet(e::getMessage),
            e);
      }
    }
  }
}
