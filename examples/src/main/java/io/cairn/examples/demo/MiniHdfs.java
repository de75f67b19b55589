package io.cairn.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * The process that {@link HdfsProcess} starts: one NameNode and two DataNodes. Prints its URI once
 * it is up, and ends when its standard input does, which is when its parent dies.
 */
final class MiniHdfs {
  /** The prefix of the line on stdout that holds the URI. */
  static final String UP = "hdfs is up at ";

  private MiniHdfs() {}

  /** Runs until stdin ends; the argument is the directory of its files. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    Configuration configuration = new Configuration();
    configuration.setInt("dfs.replication", HdfsProcess.REPLICATION);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(configuration, directory.toFile())
            .numDataNodes(HdfsProcess.REPLICATION)
            .format(!Files.exists(directory.resolve("name-0-1/current")))
            .build();
    cluster.waitActive();
    System.out.println(UP + cluster.getURI());
    System.out.flush();
    awaitEndOfInput();
    // Bytes are synced or lost by contract, so a slower end would save nothing.
    Runtime.getRuntime().halt(0);
  }

  private static void awaitEndOfInput() throws IOException {
    int read = System.in.read();
    while (read >= 0) {
      read = System.in.read();
    }
  }
}
