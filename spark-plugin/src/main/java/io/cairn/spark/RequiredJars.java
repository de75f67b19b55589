package io.cairn.spark;

import java.util.Map;
import java.util.TreeSet;

/** The jars of Cairn that the plugin needs beside its own, each known by a small class. */
final class RequiredJars {
  private static final Map<String, String> JAR_BY_CLASS =
      Map.of(
          "io.cairn.Level", "cairn-api",
          "io.cairn.core.model.LevelSpec", "cairn-core-scheduler",
          "io.cairn.cache.memory.DeviceBytes", "cairn-gpu-cache",
          "io.cairn.flush.store.StoreRefusedException", "cairn-hdfs-flush",
          "io.cairn.engine.config.PlacedSetting", "cairn-engine");

  private RequiredJars() {}

  /**
   * Checks that all are on the class path, before a class of theirs is needed.
   *
   * @throws IllegalStateException naming the missing jars and the remedy
   */
  static void require() {
    TreeSet<String> missing = new TreeSet<>();
    JAR_BY_CLASS.forEach(
        (name, jar) -> {
          if (!isPresent(name)) {
            missing.add(jar);
          }
        });
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "spark.plugins names Cairn, but the class path lacks "
              + String.join(", ", missing)
              + ": add these jars to --jars (spark.jars), beside cairn-spark-plugin");
    }
  }

  private static boolean isPresent(String name) {
    try {
      Class.forName(name, false, RequiredJars.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    } catch (NoClassDefFoundError e) {
      return true; // it is there, and extends a class of a jar that is not
    }
  }
}
