package io.cairn.core.flow;

import java.util.List;

/**
 * A capacity that a cut of the network crosses.
 *
 * @param kind what it bounds
 * @param from the sending device, or -1 where the kind has none
 * @param to the receiving device, or -1 where the kind has none
 * @param members the devices that share it; empty where the kind has none
 * @param bytesPerSecond its rate
 */
public record TightCapacity(
    Kind kind, int from, int to, List<Integer> members, double bytesPerSecond) {

  /** What a capacity bounds. */
  public enum Kind {
    /** The direct link of {@code from} to {@code to}. */
    LINK,
    /** The host link of {@code from}. */
    HOST,
    /** The host link that {@code members} share. */
    SHARED_HOST,
    /** What {@code from} sends to other devices. */
    EGRESS,
    /** What {@code to} receives from other devices. */
    INGRESS,
    /** What the node of {@code members} sends into the network. */
    NIC_OUT,
    /** What the node of {@code members} receives from the network. */
    NIC_IN
  }

  /** Copies the list. */
  public TightCapacity {
    members = List.copyOf(members);
  }
}
