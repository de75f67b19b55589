package io.cairn.spark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Measures what the plugin costs an application without a join: one start of a driver with two
 * executors, in processes of their own. Prints a line for each process. Compare several runs, with
 * the cases in turn.
 *
 * <p>{@code InertCost CASE DIRECTORY}, where the case is {@code none}, {@code join} or {@code
 * start}.
 */
final class InertCost {
  private InertCost() {}

  /** Runs one case. */
  public static void main(String[] args) throws IOException {
    String plugin = args[0];
    Path root = Files.createDirectories(Path.of(args[1]));
    SparkConf conf =
        ToyCluster.conf(root, 2, "inert-cost")
            .remove("spark.cairn.device.cacheSize")
            .set("spark.cairn.store.required", plugin.equals("start") ? "start" : "join");
    if (plugin.equals("none")) {
      conf.remove("spark.plugins");
    }
    long begin = System.nanoTime();
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      final long started = System.nanoTime();
      int sum = spark.parallelize(List.of(1, 2, 3, 4), 4).reduce(Integer::sum);
      long ended = System.nanoTime();
      System.out.printf(
          Locale.ROOT,
          "%s times: context %.2f s, first job %.2f s, sum %d%n",
          plugin,
          (started - begin) / 1e9,
          (ended - started) / 1e9,
          sum);
      spark
          .parallelize(List.of(0, 1), 2)
          .map(task -> figures("executor"))
          .collect()
          .forEach(line -> System.out.println(plugin + " " + line));
      System.out.println(plugin + " " + figures("driver"));
    }
  }

  /** Of this process, after a collection. */
  private static String figures(String process) throws IOException {
    for (int times = 0; times < 3; times++) {
      System.gc();
    }
    var memory = ManagementFactory.getMemoryMXBean();
    long own =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("cairn"))
            .count();
    StringBuilder resident = new StringBuilder();
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("RssAnon") || line.startsWith("RssShmem")) {
        resident.append(", ").append(line.replaceAll("\\s+", " "));
      }
    }
    return String.format(
        Locale.ROOT,
        "%s: %d threads, %d of Cairn, heap %.2f MB, classes %.2f MB, code %.2f MB, %d classes%s",
        process,
        ManagementFactory.getThreadMXBean().getThreadCount(),
        own,
        memory.getHeapMemoryUsage().getUsed() / 1e6,
        used("Metaspace") / 1e6,
        used("CodeHeap", "CodeCache") / 1e6,
        ManagementFactory.getClassLoadingMXBean().getLoadedClassCount(),
        resident);
  }

  /**
   * Bytes of the pools outside the heap whose names begin so. Metaspace includes the space of
   * compressed classes, which the JVM counts twice in all that is outside the heap.
   */
  private static long used(String... beginnings) {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> Arrays.stream(beginnings).anyMatch(pool.getName()::startsWith))
        .mapToLong(pool -> pool.getUsage().getUsed())
        .sum();
  }
}
