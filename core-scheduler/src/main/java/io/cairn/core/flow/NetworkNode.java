package io.cairn.core.flow;

import java.util.List;

/**
 * A machine with a network card. Devices of different nodes reach each other through the cards of
 * both; each card passes this rate out and the same rate in. A direct link between devices of
 * different nodes is refused: devices that link directly belong to one node.
 *
 * @param devices at least one; a device is in at most one node
 * @param nicBytesPerSecond finite, not negative
 */
public record NetworkNode(List<Integer> devices, double nicBytesPerSecond) {
  /** Copies the list. */
  public NetworkNode {
    devices = List.copyOf(devices);
    Rates.require(nicBytesPerSecond, "the network rate of the node of devices " + devices);
  }
}
