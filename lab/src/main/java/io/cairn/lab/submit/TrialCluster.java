package io.cairn.lab.submit;

import io.cairn.cli.LocalTree;
import io.cairn.examples.demo.HdfsProcess;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.deploy.SparkSubmit;

/**
 * A standalone cluster in one directory, with or without an HDFS, as {@code cairn-lab cluster up}
 * starts it. Its processes end with this one, however it ends. Confined to one thread.
 */
final class TrialCluster implements AutoCloseable {
  private static final String PROPERTY = "<property><name>%s</name><value>%s</value></property>";

  private final Deque<AutoCloseable> opened;
  private final Standalone spark;
  private final String store;

  private TrialCluster(Deque<AutoCloseable> opened, Standalone spark, String store) {
    this.opened = opened;
    this.spark = spark;
    this.store = store;
  }

  /**
   * Starts it, and waits until it takes jobs. An earlier one's directory is used again, and keeps
   * its store.
   *
   * @throws IOException if the directory is in use, or a process does not come up
   */
  static TrialCluster start(Path directory, Standalone.Workers workers, boolean withHdfs)
      throws IOException {
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      opened.push(lock(Files.createDirectories(directory)));
      for (String old : List.of("jars", "conf", "logs", "work", "tmp", "toy.jar")) {
        LocalTree.delete(directory.resolve(old));
      }
      SparkHome home = SparkHome.create(directory, List.of());
      Files.createDirectories(home.configuration());
      String store = directory.resolve("store").toString();
      if (withHdfs) {
        HdfsProcess hdfs = HdfsProcess.start(directory.resolve("hdfs"));
        opened.push(hdfs);
        writeSite(home, hdfs.uri());
        store = hdfs.uri() + "/cairn";
      }
      Standalone spark = new Standalone(home, directory.resolve("logs"), workers);
      opened.push(spark);
      home.configure(defaults(spark.address(), workers));
      var unused = home.writeScript(SparkSubmit.class);
      return new TrialCluster(opened, spark, store);
    } catch (IOException e) {
      close(opened);
      throw e;
    }
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel lock =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (lock.tryLock() != null) {
        return lock;
      }
    } catch (OverlappingFileLockException e) {
      lock.close();
      throw new IOException(inUse(directory), e);
    }
    lock.close();
    throw new IOException(inUse(directory));
  }

  private static String inUse(Path directory) {
    return "a cluster runs in " + directory + ": end it, or give another --dir";
  }

  /** A barrier stage finds its slots at its first look, and looks each second after a loss. */
  private static Map<String, String> defaults(String master, Standalone.Workers workers) {
    return new TreeMap<>(
        Map.of(
            "spark.master", master,
            "spark.cores.max", Integer.toString(workers.count() * workers.cores()),
            "spark.scheduler.minRegisteredResourcesRatio", "1",
            "spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s",
            "spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "600"));
  }

  /** So that paths without an address are in this HDFS. */
  private static void writeSite(SparkHome home, String uri) throws IOException {
    String text =
        "<configuration>"
            + PROPERTY.formatted("fs.defaultFS", uri)
            + PROPERTY.formatted("dfs.replication", Integer.toString(HdfsProcess.REPLICATION))
            + "</configuration>\n";
    Files.writeString(home.configuration().resolve("core-site.xml"), text);
  }

  /** Where it takes applications. */
  String master() {
    return spark.address();
  }

  /** The master's page. */
  String page() {
    return spark.page();
  }

  /** A place for checkpoints that every executor sees. */
  String store() {
    return store;
  }

  /** Ends all of its processes, and the executors of its jobs. Idempotent. */
  @Override
  public void close() {
    close(opened);
  }

  private static void close(Deque<AutoCloseable> opened) {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        System.err.println("cairn: a part of the cluster did not end well: " + e);
      }
    }
  }
}
