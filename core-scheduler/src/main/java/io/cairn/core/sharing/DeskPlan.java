package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.TransferPlan;
import java.util.List;

/**
 * A plan that a {@link PlanDesk} made, for people. Immutable.
 *
 * @param first a checkpoint of the plan
 * @param sites the holders, in the order of the problem's devices
 * @param problem remainders, spares and links
 * @param plan its solution
 */
public record DeskPlan(
    CheckpointId first, List<HolderSite> sites, FlowProblem problem, TransferPlan plan) {
  /** Copies the list. */
  public DeskPlan {
    sites = List.copyOf(sites);
  }
}
