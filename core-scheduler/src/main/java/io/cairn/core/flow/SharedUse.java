package io.cairn.core.flow;

/** How many bytes a plan sends over each shared capacity, and how long that takes. */
final class SharedUse {
  private final Topology topology;
  private final double[] egress;
  private final double[] ingress;
  private final double[] nicOut;
  private final double[] nicIn;
  private final double[] host;

  SharedUse(Topology topology) {
    this.topology = topology;
    egress = new double[topology.devices()];
    ingress = new double[topology.devices()];
    nicOut = new double[topology.nodes().size()];
    nicIn = new double[topology.nodes().size()];
    host = new double[topology.sharedHostLinks().size()];
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

  /** When everything that shares a capacity with this transfer has passed it. */
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
