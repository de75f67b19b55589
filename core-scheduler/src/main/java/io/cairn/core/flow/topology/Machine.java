package io.cairn.core.flow.topology;

import io.cairn.core.flow.Topology;
import io.cairn.core.flow.TopologyBuilder;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** A machine of a known kind, as a topology of its own or of a cluster. Immutable, thread-safe. */
public final class Machine {
  /** Devices of the largest cluster; keeps a mistyped size from filling the memory. */
  private static final int MOST_DEVICES = 16_384;

  private final double[][] links;
  private final double deviceCap;
  private final double host;
  private final int devicesPerSwitch;

  /**
   * @param links bytes per second from each device to each
   * @param deviceCap the rate at which a device sends, and receives, over all links; infinite if
   *     only its links bound it
   * @param host bytes per second from a device to the host, and of a shared host link
   * @param devicesPerSwitch the number of neighbours that share a host link; 1 if none do
   */
  Machine(double[][] links, double deviceCap, double host, int devicesPerSwitch) {
    this.links = links;
    this.deviceCap = deviceCap;
    this.host = host;
    this.devicesPerSwitch = devicesPerSwitch;
  }

  /** Devices in one machine. */
  public int devices() {
    return links.length;
  }

  /** One machine, without a network. */
  public Topology topology() {
    TopologyBuilder builder = Topology.builder(devices());
    place(builder, 0);
    return builder.build();
  }

  /**
   * Several machines, device {@code d} of machine {@code m} at {@code m * devices() + d}. Devices
   * of different machines reach each other through the network cards of both.
   *
   * @param machines at least 1, of at most 16 384 devices together
   * @param nicBytesPerSecond the rate at which a machine's network cards together send, and receive
   * @throws IllegalArgumentException if either is out of its range
   */
  public Topology cluster(int machines, double nicBytesPerSecond) {
    long all = (long) machines * devices();
    if (machines < 1 || all > MOST_DEVICES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a cluster has at least 1 machine and at most %d devices; %d machines of %d are %d",
              MOST_DEVICES,
              machines,
              devices(),
              all));
    }
    TopologyBuilder builder = Topology.builder((int) all);
    for (int machine = 0; machine < machines; machine++) {
      int first = machine * devices();
      place(builder, first);
      builder.node(range(first, devices()), nicBytesPerSecond);
    }
    return builder.build();
  }

  private void place(TopologyBuilder builder, int first) {
    for (int device = 0; device < devices(); device++) {
      builder.host(first + device, host);
      if (deviceCap < Double.POSITIVE_INFINITY) {
        builder.egress(first + device, deviceCap).ingress(first + device, deviceCap);
      }
      for (int peer = 0; peer < devices(); peer++) {
        if (links[device][peer] > 0) {
          builder.link(first + device, first + peer, links[device][peer]);
        }
      }
    }
    if (devicesPerSwitch > 1) {
      for (int device = 0; device < devices(); device += devicesPerSwitch) {
        int behind = Math.min(devicesPerSwitch, devices() - device);
        builder.sharedHostLink(range(first + device, behind), host);
      }
    }
  }

  private static List<Integer> range(int first, int count) {
    return IntStream.range(first, first + count).boxed().toList();
  }
}
