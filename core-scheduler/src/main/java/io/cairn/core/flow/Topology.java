package io.cairn.core.flow;

import java.util.Arrays;
import java.util.List;

/**
 * The directed links between devices, each device's link to the host, and the capacities that
 * several transfers share. Immutable, thread-safe; built by {@link #builder}.
 *
 * <p>All transfers run at the same time. An egress cap bounds the traffic from a device to other
 * devices, directly or through the network; an ingress cap bounds the traffic from other devices.
 * Neither counts transfers to the host.
 */
public final class Topology {
  private static final int[] NOWHERE = {};

  private final int devices;
  private final Links links;
  private final double[] host;
  private final double[] egress;
  private final double[] ingress;
  private final List<SharedHostLink> sharedHostLinks;
  private final List<ClusterNode> nodes;
  private final int[] hostLinkOf;
  private final int[] nodeOf;

  Topology(
      Links links,
      double[] host,
      double[] egress,
      double[] ingress,
      List<SharedHostLink> sharedHostLinks,
      List<ClusterNode> nodes) {
    this.devices = host.length;
    this.links = links;
    this.host = host;
    this.egress = egress;
    this.ingress = ingress;
    this.sharedHostLinks = List.copyOf(sharedHostLinks);
    this.nodes = List.copyOf(nodes);
    this.hostLinkOf =
        membership(sharedHostLinks.stream().map(SharedHostLink::devices).toList(), "host link");
    this.nodeOf = membership(nodes.stream().map(ClusterNode::devices).toList(), "node");
  }

  private int[] membership(List<List<Integer>> groups, String what) {
    if (groups.isEmpty()) {
      return NOWHERE;
    }
    int[] of = new int[devices];
    Arrays.fill(of, -1);
    for (int group = 0; group < groups.size(); group++) {
      for (int device : groups.get(group)) {
        if (device < 0 || device >= devices) {
          throw new IllegalArgumentException(
              what + " " + group + " names device " + device + " of " + devices);
        }
        if (of[device] >= 0) {
          throw new IllegalArgumentException(
              "device " + device + " is in " + what + " " + of[device] + " and in " + group);
        }
        of[device] = group;
      }
    }
    return of;
  }

  /** Starts a topology of this many devices without any link. */
  public static TopologyBuilder builder(int devices) {
    return new TopologyBuilder(devices);
  }

  /**
   * Every device linked to every other at one rate, as behind a switch that never blocks, and to
   * the host at another. Constant space.
   */
  public static Topology uniform(int devices, double linkRate, double hostRate) {
    return builder(devices).linkAll(linkRate).host(hostRate).build();
  }

  /** Number of devices; they are 0 to one less. */
  public int devices() {
    return devices;
  }

  /** Rate of the direct link, 0 where there is none. */
  public double linkBytesPerSecond(int from, int to) {
    return links.rate(from, to);
  }

  /** Rate from the device to the host, 0 where there is no host link. */
  public double hostBytesPerSecond(int device) {
    return host[device];
  }

  /** Rate at which the device can send to others; infinite without a cap. */
  public double egressBytesPerSecond(int device) {
    return egress.length == 0 ? Double.POSITIVE_INFINITY : egress[device];
  }

  /** Rate at which the device can receive from others; infinite without a cap. */
  public double ingressBytesPerSecond(int device) {
    return ingress.length == 0 ? Double.POSITIVE_INFINITY : ingress[device];
  }

  /** The host links that devices share. */
  public List<SharedHostLink> sharedHostLinks() {
    return sharedHostLinks;
  }

  /** Index of the shared host link that the device is behind, or -1. */
  public int sharedHostLinkOf(int device) {
    return hostLinkOf.length == 0 ? -1 : hostLinkOf[device];
  }

  /** The nodes of a cluster; empty for one machine. */
  public List<ClusterNode> nodes() {
    return nodes;
  }

  /** Index of the device's node, or -1 if it has no network card. */
  public int nodeOf(int device) {
    return nodeOf.length == 0 ? -1 : nodeOf[device];
  }

  /** Whether two devices reach each other through the network cards of two nodes. */
  public boolean viaNetwork(int from, int to) {
    return nodeOf.length != 0 && nodeOf[from] >= 0 && nodeOf[to] >= 0 && nodeOf[from] != nodeOf[to];
  }

  /** Whether any capacity is shared by transfers: caps, shared host links or network cards. */
  public boolean hasSharedCapacities() {
    return egress.length + ingress.length + hostLinkOf.length + nodeOf.length > 0;
  }

  Links links() {
    return links;
  }
}
