package io.cairn.core.flow;

import io.cairn.core.flow.TightCapacity.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The proof that no plan blocks for less time. The bytes of {@link #senders} that exceed the spare
 * of {@link #receivers} must cross the {@link #tight} capacities, which takes {@link
 * #lowerBoundSeconds}. The certificate is a minimum cut of a network whose capacities grow with
 * time. It can be verified from the problem alone. Immutable, thread-safe.
 */
public final class CutCertificate {
  private final FlowProblem problem;
  private final boolean wholeChunks;
  private final double lowerBoundSeconds;
  private final int[] senders;
  private final int[] receivers;
  private final @Nullable CutSides sides;

  CutCertificate(
      FlowProblem problem,
      boolean wholeChunks,
      double lowerBoundSeconds,
      int[] senders,
      int[] receivers,
      @Nullable CutSides sides) {
    this.problem = problem;
    this.wholeChunks = wholeChunks;
    this.lowerBoundSeconds = lowerBoundSeconds;
    this.senders = senders;
    this.receivers = receivers;
    this.sides = sides;
  }

  /** Whether the bound counts whole chunks, in sizes and on every capacity, or bytes. */
  public boolean wholeChunks() {
    return wholeChunks;
  }

  /** The least time of any plan; infinite if there is no plan. */
  public double lowerBoundSeconds() {
    return lowerBoundSeconds;
  }

  /** The senders whose bytes must cross, rising. */
  public List<Integer> senders() {
    return IntStream.of(senders).boxed().toList();
  }

  /** The receivers whose spare those senders fill, rising. */
  public List<Integer> receivers() {
    return IntStream.of(receivers).boxed().toList();
  }

  /**
   * Every capacity that crosses the cut. Each call enumerates them, in time linear in the links of
   * the senders.
   */
  public List<TightCapacity> tight() {
    return new Crossing().all();
  }

  /** Walks from the senders to the capacities that cross the cut. */
  private final class Crossing {
    private final Topology topology = problem.topology();
    private final List<TightCapacity> found = new ArrayList<>();
    private final BitSet taken = new BitSet();
    private final BitSet reached = new BitSet();
    private final BitSet hostLinks = new BitSet();
    private final BitSet nodesOut = new BitSet();

    List<TightCapacity> all() {
      for (int receiver : receivers) {
        taken.set(receiver);
      }
      reached.or(sides == null ? taken : sides.ingress());
      for (int sender : senders) {
        toHost(sender);
        toDevices(sender);
      }
      if (sides != null) {
        throughNetwork(sides);
        intoDevices();
      }
      return found;
    }

    private void toHost(int sender) {
      double rate = topology.hostBytesPerSecond(sender);
      int shared = topology.sharedHostLinkOf(sender);
      if (sides == null || shared < 0 || !sides.sharedHost().get(shared)) {
        add(Kind.HOST, sender, -1, List.of(), rate);
      } else if (!hostLinks.get(shared)) {
        hostLinks.set(shared);
        SharedHostLink link = topology.sharedHostLinks().get(shared);
        add(Kind.SHARED_HOST, -1, -1, link.devices(), link.bytesPerSecond());
      }
    }

    private void toDevices(int sender) {
      double cap = topology.egressBytesPerSecond(sender);
      if (cap != Double.POSITIVE_INFINITY && sides != null && !sides.egress().get(sender)) {
        add(Kind.EGRESS, sender, -1, List.of(), cap);
        return;
      }
      Links links = topology.links();
      for (int entry = 0; entry < links.degree(sender); entry++) {
        int peer = links.peer(sender, entry);
        if (problem.spare(peer, wholeChunks) > 0 && !reached.get(peer)) {
          add(Kind.LINK, sender, peer, List.of(), links.rateAt(sender, entry));
        }
      }
      if (topology.nodeOf(sender) >= 0) {
        nodesOut.set(topology.nodeOf(sender));
      }
    }

    private void throughNetwork(CutSides cut) {
      BitSet nodesIn = new BitSet();
      List<ClusterNode> nodes = topology.nodes();
      for (int out = nodesOut.nextSetBit(0); out >= 0; out = nodesOut.nextSetBit(out + 1)) {
        if (!cut.nicOut().get(out)) {
          ClusterNode node = nodes.get(out);
          add(Kind.NIC_OUT, -1, -1, node.devices(), node.outBytesPerSecond());
        } else {
          nodesIn.or(others(out));
        }
      }
      nodesIn.andNot(cut.nicIn());
      for (int in = nodesIn.nextSetBit(0); in >= 0; in = nodesIn.nextSetBit(in + 1)) {
        ClusterNode node = nodes.get(in);
        if (node.devices().stream().anyMatch(device -> problem.spare(device, wholeChunks) > 0)) {
          add(Kind.NIC_IN, -1, -1, node.devices(), node.inBytesPerSecond());
        }
      }
    }

    private BitSet others(int node) {
      BitSet others = new BitSet();
      others.set(0, topology.nodes().size());
      others.clear(node);
      return others;
    }

    private void intoDevices() {
      reached.andNot(taken);
      for (int device = reached.nextSetBit(0);
          device >= 0;
          device = reached.nextSetBit(device + 1)) {
        add(Kind.INGRESS, -1, device, List.of(), topology.ingressBytesPerSecond(device));
      }
    }

    private void add(Kind kind, int from, int to, List<Integer> members, double rate) {
      if (rate > 0) {
        found.add(new TightCapacity(kind, from, to, members, rate));
      }
    }
  }
}
