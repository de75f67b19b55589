package io.cairn.engine.nodes;

import java.nio.file.Path;

/** The names of nodes, by which processes know whether they see the same copies. Stateless. */
public final class NodeName {
  private NodeName() {}

  /**
   * The name of a machine's node directory. Equal for processes of different working directories
   * that name one directory relatively, unless by symbolic links.
   */
  public static String of(String machine, Path directory) {
    return machine + ":" + directory.toAbsolutePath().normalize();
  }

  /** The machine of a node's name; empty if the text is none. */
  public static String machine(String node) {
    return node.substring(0, Math.max(0, node.indexOf(":/")));
  }
}
