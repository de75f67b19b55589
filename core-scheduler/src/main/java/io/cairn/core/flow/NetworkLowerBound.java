package io.cairn.core.flow;

import java.util.Arrays;

/**
 * A lower bound on the time of any plan, from cuts that need no flow: around one sender, around one
 * node, and around all devices. Out of a node lead only hosts and cards, out of all devices only
 * hosts. Newton's method on these cuts; their senders are those whose hosts are busy all the time.
 * O(links); keeps its arrays; one thread.
 */
final class NetworkLowerBound {
  private static final double SHORTEST_STEP = 1 + 1e-12;

  private double[] hostNeed = new double[0];
  private double[] hostRate = new double[0];
  private int[] hostNode = new int[0];
  private int hosts;
  private int[] hostOfShared = new int[0];
  private double[] spare = new double[0];
  private double[] card = new double[0];
  private double[] over = new double[0];
  private double[] rate = new double[0];

  /** In seconds; infinite if there is no plan. */
  double of(FlowProblem problem, boolean whole) {
    Topology topology = problem.topology();
    int nodes = topology.nodes().size();
    reserve(problem.devices(), nodes, topology.sharedHostLinks().size());
    double unit = whole ? problem.chunkBytes() : 1;
    double seconds = 0;
    double total = 0;
    for (int device = 0; device < problem.devices(); device++) {
      double need = problem.remainder(device, whole) * unit;
      if (need > 0) {
        seconds = Math.max(seconds, need / outOf(problem, device, whole));
        addHost(topology, device, need);
      }
      double units = problem.spare(device, whole) * unit;
      total += units;
      if (topology.nodeOf(device) >= 0) {
        spare[topology.nodeOf(device)] += units;
      }
    }
    for (int shared = 0; shared < topology.sharedHostLinks().size(); shared++) {
      int host = hostOfShared[shared];
      if (host >= 0) {
        double together = topology.sharedHostLinks().get(shared).bytesPerSecond();
        hostRate[host] = Math.min(hostRate[host], together);
      }
    }
    for (int node = 0; node < nodes; node++) {
      card[node] = topology.nodes().get(node).outBytesPerSecond();
    }
    seconds = byHosts(nodes, seconds);
    Arrays.fill(hostNode, 0, hosts, 0);
    spare[0] = total;
    card[0] = 0;
    return byHosts(1, seconds);
  }

  private void reserve(int devices, int nodes, int shared) {
    hosts = 0;
    if (hostNeed.length < devices) {
      hostNeed = new double[devices];
      hostRate = new double[devices];
      hostNode = new int[devices];
    }
    if (hostOfShared.length < shared) {
      hostOfShared = new int[shared];
    }
    if (spare.length < nodes + 1) {
      spare = new double[nodes + 1];
      card = new double[nodes + 1];
      over = new double[nodes + 1];
      rate = new double[nodes + 1];
    }
    Arrays.fill(hostOfShared, 0, shared, -1);
    Arrays.fill(spare, 0, nodes, 0);
  }

  private static double outOf(FlowProblem problem, int device, boolean whole) {
    Topology topology = problem.topology();
    Links links = topology.links();
    int node = topology.nodeOf(device);
    double out = node < 0 ? 0 : topology.nodes().get(node).outBytesPerSecond();
    for (int entry = 0; entry < links.degree(device); entry++) {
      boolean takes = problem.spare(links.peer(device, entry), whole) > 0;
      out += takes ? links.rateAt(device, entry) : 0;
    }
    return Math.min(out, topology.egressBytesPerSecond(device))
        + topology.hostBytesPerSecond(device);
  }

  /** Adds a device; those of one node behind one shared host link count as one. */
  private void addHost(Topology topology, int device, double need) {
    int shared = topology.sharedHostLinkOf(device);
    int node = topology.nodeOf(device);
    int host = shared < 0 ? -1 : hostOfShared[shared];
    if (host < 0 || hostNode[host] != node) {
      host = hosts++;
      hostNeed[host] = 0;
      hostRate[host] = 0;
      hostNode[host] = node;
      if (shared >= 0) {
        hostOfShared[shared] = host;
      }
    }
    hostNeed[host] += need;
    hostRate[host] += topology.hostBytesPerSecond(device);
  }

  /** The greatest time, over all groups, at which busy hosts and card carry their units. */
  private double byHosts(int groups, double from) {
    double seconds = from;
    boolean later = groups > 0;
    while (later && seconds < Double.POSITIVE_INFINITY) {
      later = false;
      for (int group = 0; group < groups; group++) {
        over[group] = -spare[group];
        rate[group] = card[group];
      }
      for (int host = 0; host < hosts; host++) {
        int group = hostNode[host];
        if (group >= 0 && hostNeed[host] > hostRate[host] * seconds) {
          over[group] += hostNeed[host];
          rate[group] += hostRate[host];
        }
      }
      for (int group = 0; group < groups; group++) {
        double time = over[group] > 0 ? over[group] / rate[group] : 0;
        if (time > seconds * SHORTEST_STEP) {
          seconds = time;
          later = true;
        }
      }
    }
    return seconds;
  }
}
