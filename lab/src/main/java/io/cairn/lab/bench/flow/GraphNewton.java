package io.cairn.lab.bench.flow;

import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.jgrapht.Graph;
import org.jgrapht.alg.interfaces.MinimumSTCutAlgorithm;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;

/**
 * Newton's method on minimum cuts, as in our exact scheduler, over the maximum flow of a library.
 * The graph is built once; each step sets its weights and asks for a minimum cut, which starts from
 * no flow. Sizes are in MB, to which the library's absolute tolerance of 1e-9 suits.
 *
 * <p>Restrictions: links and hosts only, and every sender has a host.
 */
final class GraphNewton implements DoubleSupplier {
  private static final double UNIT = 1e6;
  private static final double SHORTEST_STEP = 1 + 1e-9;

  /** An edge that carries its rate × the time. */
  private record Timed(DefaultWeightedEdge edge, int from, int to, double rate) {}

  private final FlowProblem problem;
  private final Graph<Integer, DefaultWeightedEdge> graph =
      new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
  private final List<Timed> timed = new ArrayList<>();
  private final MinimumSTCutAlgorithm<Integer, DefaultWeightedEdge> cuts;
  private final int source;
  private final int sink;

  /**
   * @param maximumFlow the library's algorithm on a graph
   */
  GraphNewton(
      FlowProblem problem,
      Function<
              Graph<Integer, DefaultWeightedEdge>,
              MinimumSTCutAlgorithm<Integer, DefaultWeightedEdge>>
          maximumFlow) {
    this.problem = problem;
    source = problem.devices();
    sink = source + 1;
    for (int vertex = 0; vertex <= sink; vertex++) {
      graph.addVertex(vertex);
    }
    for (int device = 0; device < problem.devices(); device++) {
      if (problem.remainderBytes(device) > 0) {
        addSender(device);
      } else if (problem.spareBytes(device) > 0) {
        graph.setEdgeWeight(graph.addEdge(device, sink), problem.spareBytes(device) / UNIT);
      }
    }
    cuts = maximumFlow.apply(graph);
  }

  private void addSender(int sender) {
    Topology topology = problem.topology();
    graph.setEdgeWeight(graph.addEdge(source, sender), problem.remainderBytes(sender) / UNIT);
    addTimed(sender, sink, topology.hostBytesPerSecond(sender));
    for (int peer = 0; peer < problem.devices(); peer++) {
      if (problem.spareBytes(peer) > 0) {
        addTimed(sender, peer, topology.linkBytesPerSecond(sender, peer));
      }
    }
  }

  private void addTimed(int from, int to, double bytesPerSecond) {
    if (bytesPerSecond > 0) {
      timed.add(new Timed(graph.addEdge(from, to), from, to, bytesPerSecond / UNIT));
    }
  }

  /** The least blocking time, in seconds. */
  @Override
  public double getAsDouble() {
    double seconds = firstBound();
    while (true) {
      for (Timed each : timed) {
        graph.setEdgeWeight(each.edge, each.rate * seconds);
      }
      cuts.calculateMinCut(source, sink);
      double later = secondsOf(cuts.getSourcePartition());
      if (!(later > seconds * SHORTEST_STEP)) {
        return seconds;
      }
      seconds = later;
    }
  }

  /** The greatest of the bounds by one sender alone and by all of them together. */
  private double firstBound() {
    double[] rates = new double[sink];
    double hosts = 0;
    for (Timed each : timed) {
      rates[each.from] += each.rate;
      hosts += each.to == sink ? each.rate : 0;
    }
    double bound = 0;
    double excess = 0;
    for (int device = 0; device < problem.devices(); device++) {
      double remainder = problem.remainderBytes(device) / UNIT;
      excess += remainder - problem.spareBytes(device) / UNIT;
      bound = remainder > 0 ? Math.max(bound, remainder / rates[device]) : bound;
    }
    return Math.max(bound, excess / hosts);
  }

  /** When the cut carries what must cross it; 0 if nothing must. */
  private double secondsOf(Set<Integer> side) {
    double excess = 0;
    for (int device = 0; device < problem.devices(); device++) {
      if (side.contains(device)) {
        excess += (problem.remainderBytes(device) - problem.spareBytes(device)) / UNIT;
      }
    }
    double rate = 0;
    for (Timed each : timed) {
      rate += side.contains(each.from) && !side.contains(each.to) ? each.rate : 0;
    }
    return excess > 0 ? excess / rate : 0;
  }
}
