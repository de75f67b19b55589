package io.cairn.flush.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A real HDFS below one directory, of which the NameNode and each DataNode are processes of their
 * own. Closing it kills them, and leaves their files. Not thread-safe.
 */
public final class SeparateHdfs implements AutoCloseable {
  /*
   * Ports
   *
   * A node that was killed comes back at its port. Meanwhile no connection may get that port from
   * the system, so it lies below those that Linux gives away.
   */
  private static final int FIRST_PORT = 20_000;
  private static final int END_OF_PORTS = 30_000;
  private static final int MOST_TRIES = 100;

  private final URI uri;
  private final HdfsDaemon nameNode;
  private final List<HdfsDaemon> dataNodes;

  private SeparateHdfs(URI uri, HdfsDaemon nameNode, List<HdfsDaemon> dataNodes) {
    this.uri = uri;
    this.nameNode = nameNode;
    this.dataNodes = List.copyOf(dataNodes);
  }

  /**
   * Starts it and waits until all nodes serve.
   *
   * @param directory is made; holds the files and the logs of the nodes
   * @throws IOException naming the log of a node that does not come up
   */
  public static SeparateHdfs start(Path directory, int dataNodes) throws IOException {
    Files.createDirectories(directory);
    URI uri = URI.create("hdfs://127.0.0.1:" + freePort());
    HdfsDaemon nameNode =
        new HdfsDaemon(directory.resolve("name.log"), uri, directory.resolve("name"));
    List<HdfsDaemon> datas = new ArrayList<>();
    for (int i = 0; i < dataNodes; i++) {
      datas.add(
          new HdfsDaemon(
              directory.resolve("data-" + i + ".log"),
              uri,
              directory.resolve("data-" + i),
              freePort()));
    }
    SeparateHdfs hdfs = new SeparateHdfs(uri, nameNode, datas);
    try {
      hdfs.start();
      return hdfs;
    } catch (IOException e) {
      hdfs.close();
      throw e;
    }
  }

  private void start() throws IOException {
    nameNode.start();
    nameNode.awaitUp();
    for (HdfsDaemon node : dataNodes) {
      node.start();
    }
    for (HdfsDaemon node : dataNodes) {
      node.awaitUp();
    }
  }

  private static int freePort() throws IOException {
    IOException failure = new IOException("no port was tried");
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_OF_PORTS);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException e) {
        failure = e;
      }
    }
    throw failure;
  }

  /** Its address, without a path. */
  public URI uri() {
    return uri;
  }

  /** The NameNode. */
  public HdfsDaemon nameNode() {
    return nameNode;
  }

  /** The DataNodes. */
  public List<HdfsDaemon> dataNodes() {
    return dataNodes;
  }

  @Override
  public void close() {
    nameNode.close();
    dataNodes.forEach(HdfsDaemon::close);
  }
}
