package io.cairn.core.flow;

import java.util.Optional;

/**
 * The baseline: every remainder goes to its sender's host.
 *
 * <p>Problem: none is solved, and the spare of peers stays unused. O(N). Source: the strategy of
 * multi-level checkpointing libraries, the baseline of Maurya et al. 2021. Infeasible where a
 * sender has no host link.
 */
public final class LocalOnlyScheduler implements FlowScheduler {
  private final boolean wholeChunks;
  private final PlanWriter plan = new PlanWriter();

  /**
   * @param wholeChunks whether the last chunk of a sender takes the time of a whole one
   */
  public LocalOnlyScheduler(boolean wholeChunks) {
    this.wholeChunks = wholeChunks;
  }

  @Override
  public FlowOutcome schedule(FlowProblem problem) {
    plan.begin(problem, wholeChunks);
    double unit = wholeChunks ? (double) problem.chunkBytes() : 1;
    for (int sender = 0; sender < problem.devices(); sender++) {
      long bytes = problem.remainderBytes(sender);
      if (bytes > 0) {
        double rate = problem.topology().hostBytesPerSecond(sender);
        if (rate == 0) {
          return new Infeasible(
              "device " + sender + " has " + bytes + " bytes left and no link to its host",
              Optional.empty());
        }
        plan.add(
            sender, Transfer.HOST, (double) problem.remainder(sender, wholeChunks), rate / unit);
      }
    }
    return plan.unproven(problem);
  }
}
