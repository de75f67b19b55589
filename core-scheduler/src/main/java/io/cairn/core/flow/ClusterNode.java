package io.cairn.core.flow;

import java.util.List;

/**
 * A machine with network cards. Devices of different nodes reach each other through the cards of
 * both. Devices with a direct link must belong to one node.
 *
 * @param devices at least one; a device is in at most one node
 * @param outBytesPerSecond the rate at which the node's cards together send; finite, not negative
 * @param inBytesPerSecond the rate at which they receive; finite, not negative
 */
public record ClusterNode(
    List<Integer> devices, double outBytesPerSecond, double inBytesPerSecond) {
  /** Copies the list. */
  public ClusterNode {
    devices = List.copyOf(devices);
    Rates.require(outBytesPerSecond, "the network rate out of the node of devices " + devices);
    Rates.require(inBytesPerSecond, "the network rate into the node of devices " + devices);
  }

  /** Cards that send and receive at the same rate. */
  public ClusterNode(List<Integer> devices, double nicBytesPerSecond) {
    this(devices, nicBytesPerSecond, nicBytesPerSecond);
  }
}
