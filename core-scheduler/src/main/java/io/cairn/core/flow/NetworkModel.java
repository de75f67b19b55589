package io.cairn.core.flow;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A problem as a graph. It holds the links within nodes and the cards between them, never a matrix
 * of devices. Keeps its arrays; one thread.
 *
 * <pre>
 * sender → egress cap → links → ingress cap → receiver → sink
 *        → host link → shared host link → sink
 *          egress cap → card of its node → {@link NetworkFabric} → card of another → ingress cap
 * </pre>
 */
final class NetworkModel {
  private static final int NONE = -1;

  final NetworkFlow network = new NetworkFlow();
  final NetworkFabric fabric = new NetworkFabric(network);
  int[] sender = new int[0];
  int[] exit = new int[0];
  int[] entry = new int[0];
  int[] receiver = new int[0];
  int[] hostEdge = new int[0];
  int[] firstLink = new int[0];
  int[] lastLink = new int[0];
  private int[] deviceAt = new int[0];
  private int[] sharedHost = new int[0];

  /**
   * Builds a problem's network, without flow.
   *
   * @param pairwise the nodes that the fabric keeps from sending to themselves
   */
  void build(FlowProblem problem, boolean whole, BitSet pairwise) {
    reserve(problem);
    network.begin(whole);
    Topology topology = problem.topology();
    double unitsPerByte = whole ? 1.0 / problem.chunkBytes() : 1;
    for (int device = 0; device < problem.devices(); device++) {
      addDevice(problem, device, unitsPerByte);
    }
    addSharedHosts(topology, unitsPerByte);
    for (int device = 0; device < problem.devices(); device++) {
      if (sender[device] != NONE) {
        addHost(topology, device, unitsPerByte);
        addLinks(topology, device, unitsPerByte);
      }
    }
    fabric.build(topology, this, unitsPerByte, pairwise);
    mapDevices(problem.devices());
  }

  private void reserve(FlowProblem problem) {
    int devices = problem.devices();
    if (sender.length < devices) {
      sender = new int[devices];
      exit = new int[devices];
      entry = new int[devices];
      receiver = new int[devices];
      hostEdge = new int[devices];
      firstLink = new int[devices];
      lastLink = new int[devices];
    }
    if (sharedHost.length < problem.topology().sharedHostLinks().size()) {
      sharedHost = new int[problem.topology().sharedHostLinks().size()];
    }
  }

  private void addDevice(FlowProblem problem, int device, double unitsPerByte) {
    sender[device] = NONE;
    exit[device] = NONE;
    entry[device] = NONE;
    receiver[device] = NONE;
    double remainder = problem.remainder(device, network.whole);
    double spare = problem.spare(device, network.whole);
    if (remainder > 0) {
      sender[device] = network.vertex(remainder);
      double egress = problem.topology().egressBytesPerSecond(device);
      exit[device] = sender[device];
      if (egress != Double.POSITIVE_INFINITY) {
        exit[device] = network.vertex(0);
        network.rated(sender[device], exit[device], egress * unitsPerByte);
      }
    } else if (spare > 0) {
      receiver[device] = network.vertex(0);
      network.constant(receiver[device], NetworkFlow.SINK, spare);
      double ingress = problem.topology().ingressBytesPerSecond(device);
      entry[device] = receiver[device];
      if (ingress != Double.POSITIVE_INFINITY) {
        entry[device] = network.vertex(0);
        network.rated(entry[device], receiver[device], ingress * unitsPerByte);
      }
    }
  }

  private void addSharedHosts(Topology topology, double unitsPerByte) {
    for (int shared = 0; shared < topology.sharedHostLinks().size(); shared++) {
      sharedHost[shared] = network.vertex(0);
      double rate = topology.sharedHostLinks().get(shared).bytesPerSecond();
      network.rated(sharedHost[shared], NetworkFlow.SINK, rate * unitsPerByte);
    }
  }

  private void addHost(Topology topology, int device, double unitsPerByte) {
    int shared = topology.sharedHostLinkOf(device);
    int to = shared == NONE ? NetworkFlow.SINK : sharedHost[shared];
    double rate = topology.hostBytesPerSecond(device) * unitsPerByte;
    hostEdge[device] = network.rated(sender[device], to, rate);
  }

  private void addLinks(Topology topology, int device, double unitsPerByte) {
    firstLink[device] = network.edges;
    Links links = topology.links();
    for (int k = 0; k < links.degree(device); k++) {
      int peer = links.peer(device, k);
      double rate = links.rateAt(device, k);
      if (rate > 0 && entry[peer] != NONE) {
        network.rated(exit[device], entry[peer], rate * unitsPerByte);
      }
    }
    lastLink[device] = network.edges;
  }

  private void mapDevices(int devices) {
    if (deviceAt.length < network.vertices) {
      deviceAt = new int[network.vertices];
    }
    for (int device = 0; device < devices; device++) {
      if (entry[device] != NONE) {
        deviceAt[entry[device]] = device;
      }
    }
  }

  /** The receiver that a link's edge leads to. */
  int peer(int linkEdge) {
    return deviceAt[network.head[linkEdge]];
  }

  /** The certificate of a cut, given the vertices on the senders' side. */
  CutCertificate certificate(FlowProblem problem, double seconds, boolean[] side) {
    Topology topology = problem.topology();
    BitSet egress = new BitSet();
    BitSet ingress = new BitSet();
    BitSet senders = new BitSet();
    BitSet receivers = new BitSet();
    BitSet hosts = new BitSet();
    for (int device = 0; device < problem.devices(); device++) {
      senders.set(device, on(side, sender[device]));
      egress.set(device, on(side, exit[device]));
      ingress.set(device, on(side, entry[device]));
      receivers.set(device, on(side, receiver[device]));
    }
    for (int shared = 0; shared < topology.sharedHostLinks().size(); shared++) {
      hosts.set(shared, side[sharedHost[shared]]);
    }
    return new CutCertificate(
        problem,
        network.whole,
        seconds,
        members(senders),
        members(receivers),
        new CutSides(egress, ingress, fabric.out(side), fabric.in(side), hosts));
  }

  private static int[] members(BitSet set) {
    int[] members = new int[set.cardinality()];
    int member = -1;
    for (int k = 0; k < members.length; k++) {
      member = set.nextSetBit(member + 1);
      members[k] = member;
    }
    return members;
  }

  private static boolean on(boolean[] side, int vertex) {
    return vertex != NONE && side[vertex];
  }

  /** Adds all transfers to a plan, those of one sender in a row, its host last. */
  void write(FlowProblem problem, PlanWriter plan) {
    fabric.route(problem.topology());
    for (int device = 0; device < problem.devices(); device++) {
      if (sender[device] == NONE) {
        continue;
      }
      double least = network.need[sender[device]] * Precision.DUST;
      double rest = network.need[sender[device]];
      for (int edge = firstLink[device]; edge < lastLink[device]; edge += 2) {
        if (network.flow[edge] > least) {
          plan.add(device, peer(edge), network.flow[edge], network.rate[edge]);
          rest -= network.flow[edge];
        }
      }
      rest -= fabric.write(device, plan, least);
      double host = network.flow[hostEdge[device]];
      if (host > least) {
        plan.add(device, Transfer.HOST, host, network.rate[hostEdge[device]]);
        rest -= host;
      }
      plan.round(rest);
    }
  }

  /** Sets every side to false. */
  boolean[] sides(boolean[] kept) {
    boolean[] side = kept.length < network.vertices ? new boolean[network.vertices] : kept;
    Arrays.fill(side, false);
    return side;
  }
}
