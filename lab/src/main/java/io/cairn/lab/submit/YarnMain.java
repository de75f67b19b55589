package io.cairn.lab.submit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/** Hadoop's mini cluster, a ResourceManager and two NodeManagers, until its input ends. */
final class YarnMain {
  /** Begins the line that says that it serves. */
  static final String UP = "yarn is up";

  private static final int NODES = 2;

  private YarnMain() {}

  /**
   * Serves. The working directory gets the cluster's files.
   *
   * @param words file to write the clients' configuration to
   */
  public static void main(String[] words) throws IOException {
    MiniYARNCluster cluster = new MiniYARNCluster("cairn", NODES, 1, 1);
    cluster.init(settings());
    cluster.start();
    try (OutputStream file = Files.newOutputStream(Path.of(words[0]))) {
      cluster.getConfig().writeXml(file);
    }
    System.out.println(UP);
    System.in.transferTo(OutputStream.nullOutputStream()); // a killed parent ends the input, too
    System.exit(0); // the cluster's threads would go on
  }

  private static YarnConfiguration settings() {
    YarnConfiguration settings = new YarnConfiguration();
    settings.set(
        YarnConfiguration.RM_SCHEDULER,
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler");
    settings.setInt(YarnConfiguration.NM_PMEM_MB, 4096);
    settings.setInt(YarnConfiguration.NM_VCORES, 4);
    settings.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 128);
    settings.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
    settings.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
    settings.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 99.5f);
    settings.set(YarnConfiguration.YARN_APPLICATION_CLASSPATH, "");
    return settings;
  }
}
