package io.cairn.core.flow;

import java.util.ArrayList;
import java.util.List;

/**
 * The problem that settled senders leave to the others. Their bytes are subtracted from spare, and
 * the constant rates at which they use shared capacities from these. Not thread-safe.
 */
final class NetworkReduction {
  private final FlowProblem problem;
  private final double[] egress;
  private final double[] ingress;
  private final double[] hostLinks;
  private final double[] nicOut;
  private final double[] nicIn;
  private final long[] remainderBytes;
  private final double[] spareBytes;

  NetworkReduction(FlowProblem problem) {
    this.problem = problem;
    Topology topology = problem.topology();
    int devices = problem.devices();
    egress = new double[devices];
    ingress = new double[devices];
    remainderBytes = new long[devices];
    spareBytes = new double[devices];
    for (int device = 0; device < devices; device++) {
      egress[device] = topology.egressBytesPerSecond(device);
      ingress[device] = topology.ingressBytesPerSecond(device);
      remainderBytes[device] = problem.remainderBytes(device);
      spareBytes[device] = problem.spareBytes(device);
    }
    hostLinks =
        topology.sharedHostLinks().stream().mapToDouble(SharedHostLink::bytesPerSecond).toArray();
    nicOut = topology.nodes().stream().mapToDouble(ClusterNode::outBytesPerSecond).toArray();
    nicIn = topology.nodes().stream().mapToDouble(ClusterNode::inBytesPerSecond).toArray();
  }

  /** Settles a transfer, which takes so many bytes of room and so many seconds. */
  void settle(Transfer transfer, double roomBytes, double seconds) {
    Topology topology = problem.topology();
    int from = transfer.from();
    int to = transfer.to();
    double rate = roomBytes / seconds;
    remainderBytes[from] = 0;
    if (transfer.toHost()) {
      if (topology.sharedHostLinkOf(from) >= 0) {
        hostLinks[topology.sharedHostLinkOf(from)] -= rate;
      }
      return;
    }
    spareBytes[to] -= roomBytes;
    ingress[to] -= rate;
    if (topology.linkBytesPerSecond(from, to) == 0) {
      nicOut[topology.nodeOf(from)] -= rate;
      nicIn[topology.nodeOf(to)] -= rate;
    }
  }

  /** The problem of the other senders. */
  FlowProblem problem() {
    Topology topology = problem.topology();
    int devices = problem.devices();
    double[] host = new double[devices];
    long[] spare = new long[devices];
    for (int device = 0; device < devices; device++) {
      host[device] = topology.hostBytesPerSecond(device);
      ingress[device] = Math.max(0, ingress[device]);
      spare[device] = (long) Math.max(0, spareBytes[device]);
    }
    List<SharedHostLink> links = new ArrayList<>();
    for (SharedHostLink link : topology.sharedHostLinks()) {
      links.add(new SharedHostLink(link.devices(), Math.max(0, hostLinks[links.size()])));
    }
    List<ClusterNode> nodes = new ArrayList<>();
    for (ClusterNode node : topology.nodes()) {
      int n = nodes.size();
      nodes.add(new ClusterNode(node.devices(), Math.max(0, nicOut[n]), Math.max(0, nicIn[n])));
    }
    return new FlowProblem(
        new Topology(topology.links(), host, egress, ingress, links, nodes),
        remainderBytes,
        spare,
        problem.chunkBytes());
  }
}
