package io.cairn.core.flow;

import java.util.Arrays;
import java.util.Optional;

/**
 * The least blocking time where every device links to every other at one rate b and to its host at
 * one rate h. It builds no plan.
 *
 * <p>Problem: that of {@link ParametricFlowScheduler} in bytes. With equal rates the tightest cut
 * has the k largest remainders and the r smallest spares. Let m be the receivers. The least time is
 * the maximum over k and r of (these remainders − these spares) ÷ (k · (h + (m − r) · b)). For one
 * time the best r rises with k, so each of Newton's steps is one walk over both sorted lists. O(N
 * log N) for N devices. Keeps its arrays; one thread.
 */
public final class UniformOptimum {
  private static final double SHORTEST_STEP = 1 + 1e-12;

  private final SizeSort sizeSort = new SizeSort();
  private long[] remainders = new long[0];
  private long[] spares = new long[0];
  private int senders;
  private int receivers;
  private int largest;
  private int smallest;

  /**
   * The certificate of the least time. The bound is infinite if nothing leads out and the spare is
   * too small. Empty if the topology is not uniform.
   */
  public Optional<CutCertificate> certificate(FlowProblem problem) {
    if (!applies(problem.topology())) {
      return Optional.empty();
    }
    double seconds = seconds(problem);
    if (seconds == 0) {
      return Optional.of(new CutCertificate(problem, false, 0, new int[0], new int[0], null));
    }
    long least = remainders[senders - largest];
    long most = smallest == 0 ? -1 : spares[smallest - 1];
    int[] from = new int[largest];
    int[] to = new int[smallest];
    int cutSenders = 0;
    int cutReceivers = 0;
    for (int device = 0; device < problem.devices(); device++) { // above the bound, then at it
      if (problem.remainderBytes(device) > least) {
        from[cutSenders++] = device;
      } else if (problem.spareBytes(device) > 0 && problem.spareBytes(device) < most) {
        to[cutReceivers++] = device;
      }
    }
    for (int device = 0; device < problem.devices(); device++) {
      if (cutSenders < largest && problem.remainderBytes(device) == least) {
        from[cutSenders++] = device;
      } else if (cutReceivers < smallest && problem.spareBytes(device) == most) {
        to[cutReceivers++] = device;
      }
    }
    Arrays.sort(from);
    Arrays.sort(to);
    return Optional.of(new CutCertificate(problem, false, seconds, from, to, null));
  }

  static boolean applies(Topology topology) {
    if (!(topology.links() instanceof Links.Uniform) || topology.hasSharedCapacities()) {
      return false;
    }
    for (int device = 1; device < topology.devices(); device++) {
      if (topology.hostBytesPerSecond(device) != topology.hostBytesPerSecond(0)) {
        return false;
      }
    }
    return true;
  }

  /** The least time of a problem to whose topology this applies, in seconds. */
  double seconds(FlowProblem problem) {
    load(problem);
    double host = problem.topology().hostBytesPerSecond(0);
    double link = problem.devices() > 1 ? problem.topology().linkBytesPerSecond(0, 1) : 0;
    double seconds = 0;
    double later = senders == 0 ? 0 : Double.MIN_VALUE;
    while (later > seconds * SHORTEST_STEP) {
      seconds = later == Double.MIN_VALUE ? 0 : later;
      later = step(seconds, host, link);
    }
    return seconds;
  }

  /** How many of the largest remainders the tightest cut holds. */
  int cutSenders() {
    return largest;
  }

  /** How many of the smallest spares the tightest cut fills. */
  int cutReceivers() {
    return smallest;
  }

  private void load(FlowProblem problem) {
    if (Math.min(remainders.length, spares.length) < problem.devices()) {
      remainders = new long[problem.devices()];
      spares = new long[problem.devices()];
    }
    senders = 0;
    receivers = 0;
    for (int device = 0; device < problem.devices(); device++) {
      if (problem.remainderBytes(device) > 0) {
        remainders[senders++] = problem.remainderBytes(device);
      } else if (problem.spareBytes(device) > 0) {
        spares[receivers++] = problem.spareBytes(device);
      }
    }
    remainders = sizeSort.sort(remainders, senders);
    spares = sizeSort.sort(spares, receivers);
  }

  /** Finds the most overdrawn cut at this time; returns the time at which it carries all, or 0. */
  private double step(double seconds, double host, double link) {
    double most = 0;
    double remainder = 0;
    double spare = 0;
    double time = 0;
    int r = 0;
    for (int k = 1; k <= senders; k++) {
      remainder += remainders[senders - k];
      while (r < receivers && spares[r] <= k * link * seconds) {
        spare += spares[r++];
      }
      double rate = k * (host + (receivers - r) * link);
      double over = remainder - spare - rate * seconds;
      if (over > most) {
        most = over;
        time = (remainder - spare) / rate;
        largest = k;
        smallest = r;
      }
    }
    return time;
  }
}
