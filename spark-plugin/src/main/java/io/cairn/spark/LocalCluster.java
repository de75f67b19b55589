package io.cairn.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.spark.SparkConf;
import scala.util.Properties;

/**
 * Runs a Spark application on one machine with real executor processes, from a plain class path and
 * without a Spark distribution. For trials and tests in which executors die.
 */
public final class LocalCluster {
  private LocalCluster() {}

  /**
   * A configuration for {@code local-cluster[executors,1,1024]}. Sets system properties that Spark
   * reads, so it must be called before the process opens its first context.
   *
   * @param home an empty or new directory, for the files that Spark expects of a distribution
   * @param javaOptions options of the executors' JVMs
   * @throws IOException if the directory cannot be written
   */
  public static SparkConf conf(Path home, int executors, int memoryMegabytes, String javaOptions)
      throws IOException {
    return conf(home, executors, 1, memoryMegabytes, javaOptions);
  }

  /**
   * Likewise, for workers with several executors each. Each worker has a directory of its own,
   * which is two above the working directory of each of its executors.
   *
   * @param executors of each worker
   * @param memoryMegabytes of each executor
   * @throws IOException if the directory cannot be written
   */
  public static SparkConf conf(
      Path home, int workers, int executors, int memoryMegabytes, String javaOptions)
      throws IOException {
    Files.createDirectories(home.resolve("jars"));
    // Spark derives its Scala version from the only directory here
    String scala = Properties.versionNumberString();
    String line = scala.substring(0, scala.lastIndexOf('.'));
    Files.createDirectories(home.resolve("launcher/target/scala-" + line));
    System.setProperty("spark.testing", "1");
    System.setProperty("spark.test.home", home.toString());
    return new SparkConf()
        .setMaster(
            String.format(
                Locale.ROOT,
                "local-cluster[%d,%d,%d]",
                workers,
                executors,
                executors * memoryMegabytes))
        .set("spark.executor.cores", "1")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.executor.memory", memoryMegabytes + "m")
        .set("spark.testing.memory", Long.toString((long) memoryMegabytes << 20))
        .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
        .set("spark.executor.extraJavaOptions", javaOptions)
        // a barrier stage that is submitted before its executors are there looks again after 15 s
        .set("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s")
        .set("spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "600")
        .set("spark.ui.enabled", "false");
  }
}
