package io.cairn.core.flow;

import java.util.BitSet;

/**
 * The exact optimum with shared capacities or few links, by Newton's steps on minimum cuts in a
 * graph of edges; {@link MatrixSolver} describes the steps. O(edges) per path length and step;
 * keeps its arrays; one thread.
 */
final class NetworkSolver {
  private static final int NONE = -1;

  /** The start relative to the lower bound, so that the first cut is computed and not assumed. */
  private static final double JUST_BEFORE = 1 - 1e-9;

  /** With at most so many nodes, all are pairwise. */
  private static final int FEW_NODES = 4;

  private final NetworkModel model = new NetworkModel();
  private final NetworkAugmentation augmentation = new NetworkAugmentation();
  private final NetworkLowerBound lowerBound = new NetworkLowerBound();
  private final CutTime cutTime = new CutTime();
  private final PlanWriter plan = new PlanWriter();
  private boolean[] side = new boolean[0];

  FlowOutcome solve(FlowProblem problem, boolean whole) {
    BitSet pairwise = new BitSet();
    int nodes = problem.topology().nodes().size();
    pairwise.set(0, nodes <= FEW_NODES ? nodes : 0);
    double earliest = lowerBound.of(problem, whole);
    double seconds;
    int selfish;
    do {
      model.build(problem, whole, pairwise);
      side = model.sides(side);
      seconds = leastTime(earliest);
      selfish = model.fabric.selfish();
      if (selfish != NONE) {
        pairwise.set(selfish);
      }
    } while (selfish != NONE && seconds < Double.POSITIVE_INFINITY);
    CutCertificate certificate = model.certificate(problem, seconds, side);
    if (seconds == Double.POSITIVE_INFINITY) {
      return Infeasible.proven(problem, certificate);
    }
    plan.begin(problem, whole);
    model.write(problem, plan);
    return plan.plan(problem, certificate);
  }

  /** The least time with a flow that ships all, and a tight cut; or ∞. */
  private double leastTime(double earliest) {
    NetworkFlow network = model.network;
    double seconds = earliest == Double.POSITIVE_INFINITY ? 0 : earliest * JUST_BEFORE;
    network.setTime(seconds);
    augmentation.toMaximum(network);
    double slack = Precision.LEAST_SLACK;
    while (!network.complete() && slack < Precision.MOST_SLACK) {
      takeCut();
      double later = timeOfCut();
      if (later == Double.POSITIVE_INFINITY) {
        return later;
      }
      if (later > seconds * (1 + Precision.LEAST_SLACK)) {
        seconds = later;
        network.setTime(seconds);
      } else { // the rest is rounding
        network.setTime(seconds * (1 + slack));
        slack *= 4;
      }
      augmentation.toMaximum(network);
    }
    return seconds;
  }

  private void takeCut() {
    for (int vertex = 0; vertex < model.network.vertices; vertex++) {
      side[vertex] = augmentation.cut(vertex);
    }
  }

  /** The time at which the cut carries its units; ∞ if never. */
  private double timeOfCut() {
    NetworkFlow network = model.network;
    double units = 0;
    cutTime.begin();
    for (int vertex = 0; vertex < network.vertices; vertex++) {
      if (side[vertex]) {
        units += network.need[vertex];
        for (int e = network.firstEdge[vertex]; e != NetworkFlow.NO_EDGE; e = network.nextEdge[e]) {
          if ((e & 1) == 0 && !side[network.head[e]]) {
            units -= network.constant[e];
            cutTime.add(network.rate[e]);
          }
        }
      }
    }
    if (cutTime.sum() == 0) {
      return units > 0 ? Double.POSITIVE_INFINITY : 0;
    }
    return network.whole ? cutTime.ofWhole(units) : cutTime.ofFluid(units);
  }
}
