package io.cairn.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;

/** Executors in processes of their own, with everything that they write below one directory. */
final class ToyCluster {
  private ToyCluster() {}

  /** A cluster with the plugin and a cache of 4 MB per executor; tests set what they are about. */
  static SparkConf conf(Path root, int executors, String name) throws IOException {
    return conf(root, executors, name, ClassArchive.options());
  }

  static SparkConf conf(Path root, int executors, String name, List<String> options)
      throws IOException {
    return LocalCluster.conf(
            root.resolve("spark"),
            executors,
            1024,
            "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 "
                + options.stream().map(each -> '"' + each + '"').collect(Collectors.joining(" ")))
        .set("spark.executor.extraClassPath", ClassArchive.CLASS_PATH)
        .setAppName(name)
        .set("spark.plugins", "io.cairn.spark.CairnPlugin")
        .set("spark.cairn.job", "test")
        .set("spark.cairn.store", root.resolve("store").toString())
        .set("spark.cairn.node.dir", root.resolve("node").toString())
        .set("spark.cairn.device.dir", root.resolve("device").toString())
        .set("spark.cairn.device.cacheSize", "4m")
        .set("spark.cairn.closeTimeout", "15s")
        .set("spark.local.dir", root.resolve("local").toString())
        .set("spark.task.maxFailures", "10");
  }
}
