package io.cairn.core.flow;

import java.util.Arrays;

/**
 * The bytes that a plan sends over each shared capacity, and their times. Keeps its arrays from
 * plan to plan; one thread.
 */
final class SharedUse {
  private Topology topology;
  private double[] egress = new double[0];
  private double[] ingress = new double[0];
  private double[] nicOut = new double[0];
  private double[] nicIn = new double[0];
  private double[] host = new double[0];

  SharedUse(Topology topology) {
    this.topology = topology;
    begin(topology);
  }

  /** Starts a plan without transfers. */
  void begin(Topology of) {
    topology = of;
    egress = zeros(egress, of.devices());
    ingress = zeros(ingress, of.devices());
    nicOut = zeros(nicOut, of.nodes().size());
    nicIn = zeros(nicIn, of.nodes().size());
    host = zeros(host, of.sharedHostLinks().size());
  }

  private static double[] zeros(double[] kept, int size) {
    if (kept.length < size) {
      return new double[size];
    }
    Arrays.fill(kept, 0, size, 0);
    return kept;
  }

  void add(int from, int to, double bytes) {
    if (to == Transfer.HOST) {
      if (topology.sharedHostLinkOf(from) >= 0) {
        host[topology.sharedHostLinkOf(from)] += bytes;
      }
      return;
    }
    egress[from] += bytes;
    ingress[to] += bytes;
    if (throughCards(from, to)) {
      nicOut[topology.nodeOf(from)] += bytes;
      nicIn[topology.nodeOf(to)] += bytes;
    }
  }

  /** The time until all transfers have passed the capacities that this one shares. */
  double seconds(int from, int to) {
    if (to == Transfer.HOST) {
      int shared = topology.sharedHostLinkOf(from);
      return shared < 0
          ? 0
          : host[shared] / topology.sharedHostLinks().get(shared).bytesPerSecond();
    }
    double seconds =
        Math.max(
            egress[from] / topology.egressBytesPerSecond(from),
            ingress[to] / topology.ingressBytesPerSecond(to));
    if (throughCards(from, to)) {
      int out = topology.nodeOf(from);
      int in = topology.nodeOf(to);
      seconds = Math.max(seconds, nicOut[out] / topology.nodes().get(out).outBytesPerSecond());
      seconds = Math.max(seconds, nicIn[in] / topology.nodes().get(in).inBytesPerSecond());
    }
    return seconds;
  }

  private boolean throughCards(int from, int to) {
    return topology.viaNetwork(from, to) && topology.linkBytesPerSecond(from, to) == 0;
  }
}
