package io.cairn.core.flow;

import io.cairn.core.flow.TightCapacity.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Verifies plans and certificates from the problem alone, independently of all solvers. Simple
 * rather than fast. Tolerances are relative, 1e-9. Stateless, thread-safe.
 */
public final class PlanCheck {
  private static final double TOLERANCE = 1e-9;

  private PlanCheck() {}

  /** Errors of a plan: lost bytes, overdrawn spare or links. Empty if there is none. */
  public static List<String> objections(FlowProblem problem, TransferPlan plan) {
    List<String> wrong = new ArrayList<>();
    double[] sent = new double[problem.devices()];
    double[] received = new double[problem.devices()];
    SharedUse use = new SharedUse(problem.topology());
    double allowed = plan.blockingSeconds() * (1 + TOLERANCE);
    for (Transfer transfer : plan.transfers()) {
      sent[transfer.from()] += transfer.bytes();
      if (!transfer.toHost()) {
        received[transfer.to()] += transfer.bytes();
      }
      use.add(transfer.from(), transfer.to(), transfer.bytes());
      if (!(transfer.bytes() > 0) || aloneSeconds(problem.topology(), transfer) > allowed) {
        wrong.add(transfer + " in " + plan.blockingSeconds() + " s");
      }
    }
    for (Transfer transfer : plan.transfers()) {
      if (use.seconds(transfer.from(), transfer.to()) > allowed) {
        wrong.add(
            "a capacity that " + transfer + " shares takes over " + plan.blockingSeconds() + " s");
      }
    }
    for (int device = 0; device < problem.devices(); device++) {
      double remainder = problem.remainderBytes(device);
      if (Math.abs(sent[device] - remainder) > TOLERANCE * remainder) {
        wrong.add(
            String.format(
                Locale.ROOT, "device %d sends %s of %s bytes", device, sent[device], remainder));
      }
      if (received[device] > problem.spareBytes(device) * (1 + TOLERANCE)) {
        wrong.add(
            String.format(
                Locale.ROOT, "device %d receives %s bytes too many", device, received[device]));
      }
    }
    return wrong;
  }

  private static double aloneSeconds(Topology topology, Transfer transfer) {
    int from = transfer.from();
    double rate =
        transfer.toHost()
            ? topology.hostBytesPerSecond(from)
            : topology.linkBytesPerSecond(from, transfer.to());
    boolean carded = rate == 0 && !transfer.toHost() && topology.viaNetwork(from, transfer.to());
    return carded ? 0 : transfer.bytes() / rate;
  }

  /**
   * Errors of a certificate: paths past the cut, or a cut that carries its bytes sooner. Empty if
   * there is none.
   */
  public static List<String> objections(FlowProblem problem, CutCertificate certificate) {
    List<String> wrong = new ArrayList<>();
    boolean chunks = certificate.wholeChunks();
    Set<TightCapacity> tight = new HashSet<>(certificate.tight());
    Set<Integer> senders = new HashSet<>(certificate.senders());
    Set<Integer> receivers = new HashSet<>(certificate.receivers());
    for (int sender : senders) {
      if (!hostCovered(problem.topology(), tight, sender)) {
        wrong.add("device " + sender + " reaches its host past the cut");
      }
      for (int device = 0; device < problem.devices(); device++) {
        boolean outside = problem.spare(device, chunks) > 0 && !receivers.contains(device);
        if (outside && !peerCovered(problem.topology(), tight, sender, device)) {
          wrong.add("device " + sender + " reaches device " + device + " past the cut");
        }
      }
    }
    double must = 0;
    for (int sender : senders) {
      must += problem.remainder(sender, chunks);
    }
    for (int receiver : receivers) {
      must -= problem.spare(receiver, chunks);
    }
    double sooner = Math.min(certificate.lowerBoundSeconds(), Double.MAX_VALUE) * (1 - TOLERANCE);
    double carried = 0;
    for (TightCapacity capacity : tight) {
      double bytes = capacity.bytesPerSecond() * sooner;
      carried += chunks ? Math.floor(bytes / problem.chunkBytes()) : bytes;
    }
    if (certificate.lowerBoundSeconds() > 0 && carried >= must) {
      wrong.add("the cut carries %s in less time, and must carry %s".formatted(carried, must));
    }
    return wrong;
  }

  private static boolean hostCovered(Topology topology, Set<TightCapacity> tight, int sender) {
    double rate = topology.hostBytesPerSecond(sender);
    int shared = topology.sharedHostLinkOf(sender);
    return rate == 0
        || tight.contains(new TightCapacity(Kind.HOST, sender, -1, List.of(), rate))
        || (shared >= 0 && sharedCovered(tight, topology.sharedHostLinks().get(shared)));
  }

  private static boolean sharedCovered(Set<TightCapacity> tight, SharedHostLink link) {
    double rate = link.bytesPerSecond();
    return rate == 0
        || tight.contains(new TightCapacity(Kind.SHARED_HOST, -1, -1, link.devices(), rate));
  }

  private static boolean peerCovered(
      Topology topology, Set<TightCapacity> tight, int from, int to) {
    double egress = topology.egressBytesPerSecond(from);
    double ingress = topology.ingressBytesPerSecond(to);
    if (egress == 0
        || ingress == 0
        || tight.contains(new TightCapacity(Kind.EGRESS, from, -1, List.of(), egress))
        || tight.contains(new TightCapacity(Kind.INGRESS, -1, to, List.of(), ingress))) {
      return true;
    }
    double rate = topology.linkBytesPerSecond(from, to);
    if (rate > 0) {
      return tight.contains(new TightCapacity(Kind.LINK, from, to, List.of(), rate));
    }
    return !topology.viaNetwork(from, to)
        || nicCovered(topology, tight, Kind.NIC_OUT, from)
        || nicCovered(topology, tight, Kind.NIC_IN, to);
  }

  private static boolean nicCovered(
      Topology topology, Set<TightCapacity> tight, Kind kind, int device) {
    ClusterNode node = topology.nodes().get(topology.nodeOf(device));
    double rate = kind == Kind.NIC_OUT ? node.outBytesPerSecond() : node.inBytesPerSecond();
    return rate == 0 || tight.contains(new TightCapacity(kind, -1, -1, node.devices(), rate));
  }
}
