package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import java.util.List;
import java.util.Optional;

/**
 * The checkpoint that a group sealed last at NODE, with the node of each rank.
 *
 * @param id the checkpoint
 * @param nodes by rank; the size of the group is their number
 * @param nanosPerIteration how long an iteration took on average, since the group had resumed
 */
public record NodeSeal(CheckpointId id, List<String> nodes, long nanosPerIteration) {
  /** The most ranks; a file that claims more is damaged. */
  public static final int MOST_RANKS = 1_000_000;

  /** Copies the list, and checks that it is one of ranks. */
  public NodeSeal {
    nodes = List.copyOf(nodes);
    if (nodes.isEmpty() || nodes.size() > MOST_RANKS || nanosPerIteration < 0) {
      throw new IllegalArgumentException(
          id + " is sealed at " + nodes.size() + " nodes, " + nanosPerIteration + " ns each");
    }
  }

  /**
   * The copy of one rank.
   *
   * @param id the checkpoint
   * @param node that has it
   * @param nanosPerIteration as of the seal
   */
  public record Copy(CheckpointId id, String node, long nanosPerIteration) {}

  /** The copy of a rank, if the group still has {@code size} ranks: others would not read it. */
  Optional<Copy> copy(int rank, int size) {
    return size == nodes.size()
        ? Optional.of(new Copy(id, nodes.get(rank), nanosPerIteration))
        : Optional.empty();
  }
}
