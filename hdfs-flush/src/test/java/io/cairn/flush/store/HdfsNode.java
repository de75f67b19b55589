package io.cairn.flush.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * The process of one node of a {@link SeparateHdfs}. It prints {@value #UP} once it serves, and
 * ends when its standard input does, which is when its parent dies.
 */
final class HdfsNode {
  /** The line on standard output of a node that serves. */
  static final String UP = "up";

  private static final long POLL_NANOS = 20_000_000;

  private HdfsNode() {}

  /**
   * Runs until standard input ends. The arguments are the address of the HDFS, the directory of the
   * node's files, and a port. A DataNode serves at that port, and a NameNode is given none.
   */
  public static void main(String[] arguments) throws IOException {
    Configuration conf = configuration(URI.create(arguments[0]));
    Path directory = Path.of(arguments[1]);
    if (arguments.length == 2) {
      startNameNode(conf, directory);
    } else {
      startDataNode(conf, directory, arguments[2]);
    }
    System.out.println(UP);
    System.out.flush();
    awaitEndOfInput();
    Runtime.getRuntime().halt(0);
  }

  private static Configuration configuration(URI hdfs) {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", hdfs.toString());
    conf.setInt("dfs.heartbeat.interval", 1);
    return conf;
  }

  /** A NameNode serves once every block of a closed file is known to have a copy. */
  private static void startNameNode(Configuration conf, Path directory) throws IOException {
    conf.set("dfs.namenode.name.dir", directory.toUri().toString());
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.setInt("dfs.namenode.safemode.extension", 0);
    conf.setFloat("dfs.namenode.safemode.threshold-pct", 1);
    if (!Files.exists(directory.resolve("current"))) {
      NameNode.format(conf);
    }
    NameNode node = new NameNode(conf);
    await(() -> !node.isInSafeMode());
  }

  private static void startDataNode(Configuration conf, Path directory, String port)
      throws IOException {
    conf.set("dfs.datanode.data.dir", directory.toUri().toString());
    conf.set("dfs.datanode.address", "127.0.0.1:" + port);
    conf.set("dfs.datanode.ipc.address", "127.0.0.1:0");
    conf.set("dfs.datanode.http.address", "127.0.0.1:0");
    DataNode node = DataNode.createDataNode(new String[0], conf);
    await(node::isDatanodeFullyStarted);
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static void awaitEndOfInput() throws IOException {
    int read = System.in.read();
    while (read >= 0) {
      read = System.in.read();
    }
  }
}
