package io.cairn.core.flow;

import java.util.Locale;
import java.util.Optional;

/**
 * Sends the largest remainder first, to the fastest linked receivers that have spare, and the rest
 * to the host.
 *
 * <p>Problem: the least blocking time, approximately and without a bound on the error, since no
 * choice is revised. O(N²) for N devices. Source: Maurya et al. 2021, Algorithm 1. The host
 * transfer is read as the remainder that is left; as printed, it is set to zero first. Ties go to
 * the lowest index.
 *
 * <p>Restrictions: it uses direct links only and ignores shared capacities when it chooses; the
 * times of its plan honour them. It reports Infeasible if it uses a shared capacity of zero, or
 * needs a host link that a sender lacks, even if another plan exists.
 */
public final class GreedyScheduler implements FlowScheduler {
  private final boolean wholeChunks;
  private final PlanWriter plan = new PlanWriter();

  /**
   * @param wholeChunks whether every transfer is in whole chunks, the last of a sender counted
   *     whole
   */
  public GreedyScheduler(boolean wholeChunks) {
    this.wholeChunks = wholeChunks;
  }

  @Override
  public FlowOutcome schedule(FlowProblem problem) {
    plan.begin(problem, wholeChunks);
    double unit = wholeChunks ? (double) problem.chunkBytes() : 1;
    int devices = problem.devices();
    double[] remainder = new double[devices];
    double[] spare = new double[devices];
    for (int device = 0; device < devices; device++) {
      remainder[device] = problem.remainder(device, wholeChunks);
      spare[device] = problem.spare(device, wholeChunks);
    }
    for (int sender = largest(remainder); sender >= 0; sender = largest(remainder)) {
      Topology topology = problem.topology();
      for (int to = fastest(topology.links(), sender, spare);
          to >= 0 && remainder[sender] > 0;
          to = fastest(topology.links(), sender, spare)) {
        double bytes = Math.min(remainder[sender], spare[to]);
        remainder[sender] -= bytes;
        spare[to] -= bytes;
        plan.add(sender, to, bytes, topology.linkBytesPerSecond(sender, to) / unit);
      }
      if (remainder[sender] > 0) {
        double rate = topology.hostBytesPerSecond(sender);
        if (rate == 0) {
          return new Infeasible(
              String.format(
                  Locale.ROOT,
                  "device %d has %.0f bytes that it placed nowhere, and no link to its host",
                  sender,
                  remainder[sender] * unit),
              Optional.empty());
        }
        plan.add(sender, Transfer.HOST, remainder[sender], rate / unit);
        remainder[sender] = 0;
      }
    }
    return plan.unproven(problem);
  }

  private static int largest(double[] remainder) {
    int largest = -1;
    for (int device = 0; device < remainder.length; device++) {
      if (remainder[device] > (largest < 0 ? 0 : remainder[largest])) {
        largest = device;
      }
    }
    return largest;
  }

  private static int fastest(Links links, int sender, double[] spare) {
    int fastest = -1;
    double best = 0;
    for (int entry = 0; entry < links.degree(sender); entry++) {
      int peer = links.peer(sender, entry);
      if (spare[peer] > 0 && links.rateAt(sender, entry) > best) {
        best = links.rateAt(sender, entry);
        fastest = peer;
      }
    }
    return fastest;
  }
}
