package io.cairn.flush.store;

import io.cairn.process.FreePort;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real HDFS below one directory, of which the NameNode and each DataNode are processes of their
 * own. Closing it kills them, and leaves their files. Not thread-safe.
 */
public final class SeparateHdfs implements AutoCloseable {
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
    URI uri = URI.create("hdfs://127.0.0.1:" + FreePort.find());
    HdfsDaemon nameNode =
        new HdfsDaemon(directory.resolve("name.log"), uri, directory.resolve("name"));
    List<HdfsDaemon> datas = new ArrayList<>();
    for (int i = 0; i < dataNodes; i++) {
      datas.add(
          new HdfsDaemon(
              directory.resolve("data-" + i + ".log"),
              uri,
              directory.resolve("data-" + i),
              FreePort.find()));
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
