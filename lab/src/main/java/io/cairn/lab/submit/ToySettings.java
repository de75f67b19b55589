package io.cairn.lab.submit;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.launcher.JavaModuleOptions;

/** Settings of the application on every cluster. */
final class ToySettings {
  private static final String SMALL = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";

  private ToySettings() {}

  /** Everything that the job writes is below the directory. */
  static Map<String, String> of(Path directory) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.plugins", "io.cairn.spark.CairnPlugin");
    settings.put("spark.cairn.store", directory.resolve("store").toString());
    settings.put("spark.cairn.node.dir", directory.resolve("node").toString());
    settings.put("spark.cairn.device.dir", directory.resolve("device").toString());
    settings.put("spark.cairn.device.cacheSize", "16m");
    settings.put("spark.cairn.node.every", "5");
    settings.put("spark.cairn.store.every", "20");
    settings.put("spark.cairn.closeTimeout", "15s");
    settings.put("spark.jars.ivy", directory.resolve("ivy").toString());
    settings.put("spark.local.dir", directory.resolve("local").toString());
    settings.put("spark.driver.memory", "512m");
    settings.put("spark.executor.memory", "512m");
    settings.put("spark.executor.cores", "1");
    // a driver at a standalone worker gets no options for modules from Spark
    settings.put(
        "spark.driver.extraJavaOptions", SMALL + " " + JavaModuleOptions.defaultModuleOptions());
    settings.put("spark.executor.extraJavaOptions", SMALL);
    settings.put("spark.task.maxFailures", "20");
    // a barrier stage waits for its slots, and asks for them every 15 s unless told otherwise
    settings.put("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s");
    settings.put("spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "300");
    settings.put("spark.ui.enabled", "false");
    return settings;
  }
}
