package io.cairn.core.flow;

import java.util.Optional;

/**
 * The baseline: every remainder goes to its sender's host.
 *
 * <p>Problem: none is solved, peers' spare stays unused. O(N). Source: the strategy of multi-level
 * checkpointing libraries, the baseline of Maurya et al. 2021. Infeasible where a sender has no
 * host link.
 */
public final class LocalOnlyScheduler implements FlowScheduler {
  private final PlanWriter plan = new PlanWriter();

  @Override
  public FlowOutcome schedule(FlowProblem problem) {
    plan.beginBytes(problem);
    for (int sender = 0; sender < problem.devices(); sender++) {
      long bytes = problem.remainderBytes(sender);
      if (bytes > 0) {
        double rate = problem.topology().hostBytesPerSecond(sender);
        if (rate == 0) {
          return new Infeasible(
              "device " + sender + " has " + bytes + " bytes left and no link to its host",
              Optional.empty());
        }
        plan.add(sender, Transfer.HOST, (double) bytes, rate);
      }
    }
    return plan.unproven(problem);
  }
}
