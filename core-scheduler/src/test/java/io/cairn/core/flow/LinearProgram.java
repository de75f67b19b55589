package io.cairn.core.flow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/**
 * The flow problem as a linear program, written from its statement: a variable per way of a
 * device's bytes, in units that keep the numbers near one, and a row per capacity.
 */
final class LinearProgram {
  private static final double UNIT = 1e9;

  private record Way(int from, int to, boolean direct, Variable bytes) {}

  private final FlowProblem problem;
  private final ExpressionsBasedModel model = new ExpressionsBasedModel();
  private final Variable seconds = model.newVariable("T").lower(0).weight(1);
  private final List<Way> ways = new ArrayList<>();
  private final Map<Integer, Variable> hosts = new HashMap<>();

  private LinearProgram(FlowProblem problem) {
    this.problem = problem;
  }

  /** The least blocking time; empty if there is no plan. */
  static OptionalDouble solve(FlowProblem problem) {
    return new LinearProgram(problem).solve();
  }

  private OptionalDouble solve() {
    Topology topology = problem.topology();
    for (int from = 0; from < problem.devices(); from++) {
      if (problem.remainderBytes(from) > 0) {
        addSender(topology, from);
      }
    }
    for (int to = 0; to < problem.devices(); to++) {
      int receiver = to;
      Expression spare = model.newExpression("spare " + to).upper(problem.spareBytes(to) / UNIT);
      ways.stream().filter(way -> way.to == receiver).forEach(way -> spare.set(way.bytes, 1));
    }
    addShared(topology);
    Optimisation.Result result = model.minimise();
    return result.getState().isFeasible()
        ? OptionalDouble.of(result.getValue())
        : OptionalDouble.empty();
  }

  private void addSender(Topology topology, int from) {
    double bytes = problem.remainderBytes(from) / UNIT;
    Expression all = model.newExpression("all of " + from).level(bytes);
    Variable host = model.newVariable("host " + from).lower(0);
    hosts.put(from, host);
    all.set(host, 1);
    bounded("host rate " + from, topology.hostBytesPerSecond(from), List.of(host));
    for (int to = 0; to < problem.devices(); to++) {
      double rate = topology.linkBytesPerSecond(from, to);
      if (problem.spareBytes(to) > 0 && (rate > 0 || topology.viaNetwork(from, to))) {
        Variable way = model.newVariable(from + " to " + to).lower(0);
        all.set(way, 1);
        ways.add(new Way(from, to, rate > 0, way));
        if (rate > 0) {
          bounded("link " + from + " " + to, rate, List.of(way));
        }
      }
    }
  }

  private void addShared(Topology topology) {
    for (int device = 0; device < problem.devices(); device++) {
      int end = device;
      bounded(
          "egress " + device,
          topology.egressBytesPerSecond(device),
          on(from -> from == end, to -> true, false));
      bounded(
          "ingress " + device,
          topology.ingressBytesPerSecond(device),
          on(from -> true, to -> to == end, false));
    }
    for (int node = 0; node < topology.nodes().size(); node++) {
      int end = node;
      ClusterNode cards = topology.nodes().get(node);
      bounded(
          "out " + node,
          cards.outBytesPerSecond(),
          on(from -> topology.nodeOf(from) == end, to -> true, true));
      bounded(
          "in " + node,
          cards.inBytesPerSecond(),
          on(from -> true, to -> topology.nodeOf(to) == end, true));
    }
    for (SharedHostLink link : topology.sharedHostLinks()) {
      List<Variable> members =
          link.devices().stream().filter(hosts::containsKey).map(hosts::get).toList();
      bounded("shared " + link.devices(), link.bytesPerSecond(), members);
    }
  }

  private List<Variable> on(IntPredicate from, IntPredicate to, boolean onlyNetwork) {
    return ways.stream()
        .filter(way -> from.test(way.from) && to.test(way.to) && !(onlyNetwork && way.direct))
        .map(Way::bytes)
        .toList();
  }

  private void bounded(String name, double rate, List<Variable> variables) {
    if (rate != Double.POSITIVE_INFINITY && !variables.isEmpty()) {
      Expression row = model.newExpression(name).upper(0).set(seconds, -rate / UNIT);
      variables.forEach(variable -> row.set(variable, 1));
    }
  }
}
