package io.cairn.core.flow;

import java.util.List;

/**
 * A capacity that a cut of the network crosses.
 *
 * @param kind of capacity
 * @param from the sending device, or -1 where the kind has none
 * @param to the receiving device, or -1 where the kind has none
 * @param members the devices that share it; empty where the kind has none
 * @param bytesPerSecond its rate
 */
public record TightCapacity(
    Kind kind, int from, int to, List<Integer> members, double bytesPerSecond) {

  /** Kinds of capacities. */
  public enum Kind {
    /** The direct link of {@code from} to {@code to}. */
    LINK,
    /** The host link of {@code from}. */
    HOST,
    /** The host link that {@code members} share. */
    SHARED_HOST,
    /** The traffic from {@code from} to other devices. */
    EGRESS,
    /** The traffic from other devices to {@code to}. */
    INGRESS,
    /** The traffic from the node of {@code members} into the network. */
    NIC_OUT,
    /** The traffic from the network to the node of {@code members}. */
    NIC_IN
  }

  /** Copies the list. */
  public TightCapacity {
    members = List.copyOf(members);
  }
}
