package io.cairn.flush.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * A real HDFS with one NameNode and one DataNode in this process. It starts at the first use and is
 * shared by all tests of the JVM. At the end of the JVM it is removed with its data.
 */
public final class EmbeddedHdfs {
  private static final AtomicInteger ROOTS = new AtomicInteger();

  private EmbeddedHdfs() {}

  /** Starts when the class is first touched, once. */
  private static final class Started {
    static final MiniDFSCluster CLUSTER = start();
  }

  /** A directory of the cluster that no one else uses. */
  public static URI freshRoot() {
    return URI.create(uri() + "/store-" + ROOTS.incrementAndGet());
  }

  /** The cluster's address, without a path. */
  public static URI uri() {
    return Started.CLUSTER.getURI();
  }

  /** Client settings under which an answer, and an error too, comes at once. */
  public static Configuration impatientClient() {
    Configuration conf = new Configuration(false);
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    conf.setInt("ipc.client.connect.timeout", 2000);
    conf.setInt("dfs.client.retry.max.attempts", 0);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    conf.setInt("dfs.replication", 1);
    return conf;
  }

  /** How often the DataNode forced a block to its medium so far. */
  static long blockSyncs() {
    String source = Started.CLUSTER.getDataNodes().get(0).getMetrics().name();
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource(source).getMetrics(collector, true);
    for (MetricsRecord record : collector.getRecords()) {
      for (AbstractMetric metric : record.metrics()) {
        if (metric.name().equals("FsyncCount")) {
          return metric.value().longValue();
        }
      }
    }
    throw new IllegalStateException("the DataNode counts no syncs");
  }

  private static MiniDFSCluster start() {
    try {
      Path directory = Files.createTempDirectory("cairn-hdfs");
      Configuration conf = new Configuration();
      conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
      conf.setInt("dfs.namenode.handler.count", 1); // see NameNodeCalls
      conf.setBoolean("dfs.namenode.delegation.token.always-use", true);
      MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> cluster.shutdown(true)));
      cluster.waitActive();
      return cluster;
    } catch (IOException e) {
      throw new UncheckedIOException("the embedded HDFS did not start", e);
    }
  }
}
