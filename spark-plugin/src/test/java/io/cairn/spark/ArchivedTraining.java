package io.cairn.spark;

import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Loads what executors load: a training of one rank in local mode, in the directory it is given.
 */
final class ArchivedTraining {
  private ArchivedTraining() {}

  public static void main(String[] arguments) throws Exception {
    DaemonThreads.unstarted("ends-with-its-parent", ArchivedTraining::awaitParent).start();
    String directory = arguments[0];
    SparkConf conf =
        ToyCluster.conf(Path.of(directory), 1, "archived", List.of()).setMaster("local[1]");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      spark
          .parallelize(List.of(0), 1)
          .map(rank -> new ToyRank(directory, "archived", rank, 1, 20, 1).train())
          .collect();
    }
    System.exit(0);
  }

  /** The process that started this one holds the other end while it lives. */
  private static void awaitParent() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // it is gone as well
    }
    Runtime.getRuntime().halt(1);
  }
}
