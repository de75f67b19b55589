package io.cairn.adjoint.history;

import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.FlowScheduler;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.Transfer;
import io.cairn.core.flow.TransferPlan;
import java.util.List;
import java.util.Map;

/** The chunks that each device lends to each other one. The same reports give the same plan. */
final class LoanPlan {
  /**
   * One loan.
   *
   * @param borrower number of a device
   * @param lender number of another one
   */
  record Loan(int borrower, int lender, long chunks) {}

  private LoanPlan() {}

  /**
   * The loans of a flow plan. It sends a part to the places below, however much room they have.
   *
   * @param reports of each device: chunks to spare, or missing ones below zero
   */
  static List<Loan> of(Topology topology, Map<Integer, Long> reports, int chunkBytes) {
    long[] remainder = new long[topology.devices()];
    long[] spare = new long[topology.devices()];
    reports.forEach(
        (device, chunks) -> {
          remainder[device] = Math.max(0, -chunks) * chunkBytes;
          spare[device] = Math.max(0, chunks) * chunkBytes;
        });
    FlowScheduler scheduler = new ParametricFlowScheduler();
    return scheduler.schedule(new FlowProblem(topology, remainder, spare, chunkBytes))
            instanceof TransferPlan plan
        ? plan.transfers().stream()
            .filter(transfer -> !transfer.toHost())
            .map(transfer -> loan(transfer, chunkBytes))
            .toList()
        : List.of();
  }

  private static Loan loan(Transfer transfer, int chunkBytes) {
    return new Loan(transfer.from(), transfer.to(), Math.round(transfer.bytes() / chunkBytes));
  }
}
