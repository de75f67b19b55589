package io.cairn.lab.bench.flow;

import io.cairn.core.flow.FlowProblem;
import java.util.HashMap;
import java.util.Map;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/**
 * The flow problem as a linear program: a variable per link and host, a row per link, sender and
 * receiver, and the time to be least. In GB, so that the numbers are near one. Restrictions: links
 * and hosts only.
 */
final class DenseLinearProgram {
  private static final double UNIT = 1e9;

  private final FlowProblem problem;
  private final ExpressionsBasedModel model = new ExpressionsBasedModel();
  private final Variable seconds = model.newVariable("T").lower(0).weight(1);
  private final Map<Integer, Expression> spares = new HashMap<>();

  private DenseLinearProgram(FlowProblem problem) {
    this.problem = problem;
  }

  /**
   * States the program and solves it.
   *
   * @return the least blocking time
   * @throws IllegalStateException if the solver finds none
   */
  static double seconds(FlowProblem problem) {
    return new DenseLinearProgram(problem).solve();
  }

  private double solve() {
    for (int device = 0; device < problem.devices(); device++) {
      if (problem.spareBytes(device) > 0) {
        double spare = problem.spareBytes(device) / UNIT;
        spares.put(device, model.newExpression("spare " + device).upper(spare));
      }
    }
    for (int device = 0; device < problem.devices(); device++) {
      if (problem.remainderBytes(device) > 0) {
        addSender(device);
      }
    }
    Optimisation.Result result = model.minimise();
    if (!result.getState().isOptimal()) {
      throw new IllegalStateException("the linear program ended as " + result.getState());
    }
    return result.getValue();
  }

  private void addSender(int sender) {
    double bytes = problem.remainderBytes(sender) / UNIT;
    Expression all = model.newExpression("all of " + sender).level(bytes);
    double host = problem.topology().hostBytesPerSecond(sender);
    all.set(way("host " + sender, host), 1);
    spares.forEach(
        (peer, spare) -> {
          double rate = problem.topology().linkBytesPerSecond(sender, peer);
          if (rate > 0) {
            Variable way = way(sender + " to " + peer, rate);
            all.set(way, 1);
            spare.set(way, 1);
          }
        });
  }

  private Variable way(String name, double rate) {
    Variable way = model.newVariable(name).lower(0);
    model.newExpression(name).upper(0).set(way, 1).set(seconds, -rate / UNIT);
    return way;
  }
}
