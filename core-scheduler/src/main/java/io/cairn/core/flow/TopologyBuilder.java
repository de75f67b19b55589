package io.cairn.core.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Builds a {@link Topology}. Not thread-safe. A later call for the same link or device replaces the
 * earlier one. All rates are finite, not negative, in bytes per second; methods throw {@link
 * IllegalArgumentException} for others, and for unknown devices.
 */
public final class TopologyBuilder {
  /** The part of all pairs above which a matrix is smaller and faster than rows. */
  private static final double DENSE = 0.1;

  /** The most devices that are kept as a matrix, or linked all to all. */
  private static final int LARGEST_MATRIX = 16_384;

  private final int devices;
  private int[] from = new int[64];
  private int[] to = new int[64];
  private double[] rates = new double[64];
  private int links;
  private final double[] host;
  private final double[] egress;
  private final double[] ingress;
  private final List<SharedHostLink> sharedHostLinks = new ArrayList<>();
  private final List<ClusterNode> nodes = new ArrayList<>();
  private double allToAll;

  TopologyBuilder(int devices) {
    if (devices < 1) {
      throw new IllegalArgumentException("a topology has at least 1 device, not " + devices);
    }
    this.devices = devices;
    host = new double[devices];
    egress = new double[devices];
    ingress = new double[devices];
    Arrays.fill(egress, Double.POSITIVE_INFINITY);
    Arrays.fill(ingress, Double.POSITIVE_INFINITY);
  }

  /** A link in one direction. */
  public TopologyBuilder link(int sender, int receiver, double bytesPerSecond) {
    require(sender);
    require(receiver);
    if (sender == receiver) {
      throw new IllegalArgumentException("device " + sender + " is linked to itself");
    }
    Rates.require(bytesPerSecond, "the rate of the link from " + sender + " to " + receiver);
    if (links == from.length) {
      from = Arrays.copyOf(from, 2 * links);
      to = Arrays.copyOf(to, 2 * links);
      rates = Arrays.copyOf(rates, 2 * links);
    }
    from[links] = sender;
    to[links] = receiver;
    rates[links++] = bytesPerSecond;
    return this;
  }

  /** Links every device to every other; excludes single links. */
  public TopologyBuilder linkAll(double bytesPerSecond) {
    allToAll = Rates.require(bytesPerSecond, "the rate of the links between all devices");
    if (devices > LARGEST_MATRIX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "at most %d devices can be linked all to all, not %d",
              LARGEST_MATRIX,
              devices));
    }
    return this;
  }

  /** The host rate of every device. */
  public TopologyBuilder host(double bytesPerSecond) {
    Arrays.fill(host, Rates.require(bytesPerSecond, "the host rate of every device"));
    return this;
  }

  /** The host rate of one device. */
  public TopologyBuilder host(int device, double bytesPerSecond) {
    host[require(device)] = Rates.require(bytesPerSecond, "the host rate of device " + device);
    return this;
  }

  /** Bounds the rate at which one device sends to others. */
  public TopologyBuilder egress(int device, double bytesPerSecond) {
    egress[require(device)] = Rates.require(bytesPerSecond, "the egress cap of device " + device);
    return this;
  }

  /** Bounds the rate at which one device receives from others. */
  public TopologyBuilder ingress(int device, double bytesPerSecond) {
    ingress[require(device)] = Rates.require(bytesPerSecond, "the ingress cap of device " + device);
    return this;
  }

  /** Lets devices share a host link. */
  public TopologyBuilder sharedHostLink(List<Integer> members, double bytesPerSecond) {
    sharedHostLinks.add(new SharedHostLink(members, bytesPerSecond));
    return this;
  }

  /** Puts devices on a node with a network card. */
  public TopologyBuilder node(List<Integer> members, double nicBytesPerSecond) {
    nodes.add(new ClusterNode(members, nicBytesPerSecond));
    return this;
  }

  /** Builds the topology; rejects direct links out of a node. */
  public Topology build() {
    if (allToAll > 0 && links > 0) {
      throw new IllegalArgumentException("linkAll and single links exclude each other");
    }
    if (allToAll > 0 && nodes.size() > 1) {
      throw new IllegalArgumentException("linkAll links devices of different nodes directly");
    }
    Topology topology =
        new Topology(packed(), host.clone(), caps(egress), caps(ingress), sharedHostLinks, nodes);
    requireNoneOutOfNodes(topology);
    return topology;
  }

  /** The network model has no such link, so it would take too slow a plan for the best one. */
  private void requireNoneOutOfNodes(Topology topology) {
    for (int link = 0; link < links; link++) {
      if (rates[link] > 0 && topology.nodeOf(from[link]) != topology.nodeOf(to[link])) {
        throw new IllegalArgumentException(
            String.format(
                    Locale.ROOT,
                    "devices %d and %d are linked directly, but not in one node; ",
                    from[link],
                    to[link])
                + "put devices that link directly into one node");
      }
    }
    int[] outside =
        IntStream.range(0, devices).filter(device -> topology.nodeOf(device) < 0).toArray();
    if (allToAll > 0 && !nodes.isEmpty() && outside.length > 0) {
      throw new IllegalArgumentException(
          "linkAll links devices %s, which are in no node, to those of a node; put all devices into one node"
              .formatted(Arrays.toString(outside)));
    }
  }

  private Links packed() {
    if (allToAll > 0) {
      return new Links.Uniform(devices, allToAll);
    }
    return devices <= LARGEST_MATRIX && links > DENSE * devices * devices ? matrix() : rows();
  }

  private Links matrix() {
    double[] matrix = new double[devices * devices];
    for (int link = 0; link < links; link++) {
      matrix[from[link] * devices + to[link]] = rates[link];
    }
    double rate = matrix[1];
    for (int sender = 0; sender < devices; sender++) {
      for (int receiver = 0; receiver < devices; receiver++) {
        if (sender != receiver && matrix[sender * devices + receiver] != rate) {
          return new Links.Dense(devices, matrix);
        }
      }
    }
    return new Links.Uniform(devices, rate);
  }

  private Links rows() {
    Integer[] order = new Integer[links];
    Arrays.setAll(order, link -> link);
    Arrays.sort( // stable, so that the last of equal links wins below
        order,
        Comparator.<Integer>comparingInt(link -> from[link]).thenComparingInt(link -> to[link]));
    int[] first = new int[devices + 1];
    int[] peers = new int[links];
    double[] kept = new double[links];
    int count = 0;
    for (int link : order) {
      boolean again = count > 0 && first[from[link] + 1] == count && peers[count - 1] == to[link];
      int at = again ? count - 1 : count++;
      peers[at] = to[link];
      kept[at] = rates[link];
      first[from[link] + 1] = count;
    }
    for (int device = 1; device <= devices; device++) {
      first[device] = Math.max(first[device], first[device - 1]);
    }
    return new Links.Sparse(first, Arrays.copyOf(peers, count), Arrays.copyOf(kept, count));
  }

  private static double[] caps(double[] rates) {
    boolean capped = Arrays.stream(rates).anyMatch(rate -> rate != Double.POSITIVE_INFINITY);
    return capped ? rates.clone() : new double[0];
  }

  private int require(int device) {
    if (device < 0 || device >= devices) {
      throw new IllegalArgumentException(
          "there is no device " + device + "; they are 0 to " + (devices - 1));
    }
    return device;
  }
}
