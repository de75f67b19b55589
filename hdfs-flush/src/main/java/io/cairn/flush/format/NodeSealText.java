package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.core.protocol.NodeSeal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The text of a file that says at which nodes a checkpoint was sealed. The first line has the mean
 * time of an iteration in nanoseconds. Each further line has a number of consecutive ranks, a
 * space, and their node.
 *
 * <pre>
 *     20345671
 *     8 worker-3:/dev/shm/cairn-u/node
 *     8 worker-7:/dev/shm/cairn-u/node
 * </pre>
 */
public final class NodeSealText {
  /** The longest file that is read. */
  public static final int MAX_BYTES = 16 << 20;

  private NodeSealText() {}

  /** The text, as UTF-8. */
  public static byte[] of(NodeSeal seal) {
    StringBuilder text = new StringBuilder().append(seal.nanosPerIteration()).append('\n');
    List<String> nodes = seal.nodes();
    int begin = 0;
    for (int rank = 1; rank <= nodes.size(); rank++) {
      if (rank == nodes.size() || !nodes.get(rank).equals(nodes.get(begin))) {
        String node = nodes.get(begin).replace('\n', ' ').replace('\r', ' ');
        text.append(rank - begin).append(' ').append(node).append('\n');
        begin = rank;
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Reads a text; empty if it is none. A file that was cut short names fewer ranks. */
  public static Optional<NodeSeal> read(CheckpointId id, byte[] text) {
    List<String> lines = new String(text, StandardCharsets.UTF_8).lines().toList();
    List<String> nodes = new ArrayList<>();
    try {
      for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
        int space = line.indexOf(' ');
        int ranks = Integer.parseInt(line.substring(0, Math.max(0, space)));
        if (ranks < 1 || ranks > NodeSeal.MOST_RANKS - nodes.size()) {
          return Optional.empty();
        }
        nodes.addAll(Collections.nCopies(ranks, line.substring(space + 1)));
      }
      return Optional.of(new NodeSeal(id, nodes, Long.parseLong(lines.get(0))));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }
}
