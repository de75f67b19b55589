package io.cairn.core.wire;

import io.cairn.core.peer.PeerAddress;

/**
 * A process that serves the checkpoints at its node to processes on other nodes.
 *
 * @param process its name in its own system
 * @param node the machine and the directory; equal for processes that see the same copies
 * @param domain the failure domain: equal for nodes that may be lost at once; empty if the process
 *     does not know its own
 * @param address where it serves
 */
public record NodeSite(String process, String node, String domain, PeerAddress address) {
  /** Checks that both names are given. */
  public NodeSite {
    if (process.isBlank() || node.isBlank()) {
      throw new IllegalArgumentException(
          "process '" + process + "' of node '" + node + "': both need a name");
    }
  }

  /** Whether copies can be placed apart from this process. */
  public boolean knowsDomain() {
    return !domain.isEmpty();
  }

  @Override
  public String toString() {
    return node + " (served by " + address + ")";
  }
}
