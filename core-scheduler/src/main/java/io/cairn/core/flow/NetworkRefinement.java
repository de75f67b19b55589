package io.cairn.core.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lets senders on shared capacities finish earlier than the blocking time. Senders of the last cut
 * are settled as they are, and the least time of the others is searched on the {@link
 * NetworkReduction}. Settled senders use shared capacities at constant rates, so the result is one
 * lexicographic order among those that other ways of sharing would give. At most one exact solution
 * per sender.
 */
final class NetworkRefinement {
  private static final double ROUNDING = 1 + 1e-9;

  private final NetworkSolver solver;

  NetworkRefinement(NetworkSolver solver) {
    this.solver = solver;
  }

  FlowOutcome solve(FlowProblem problem, boolean whole) {
    FlowOutcome outcome = solver.solve(problem, whole);
    if (!(outcome instanceof TransferPlan first) || first.blockingSeconds() == 0) {
      return outcome;
    }
    List<Transfer> settled = new ArrayList<>();
    double[] seconds = new double[problem.devices()];
    NetworkReduction reduction = new NetworkReduction(problem);
    TransferPlan plan = first;
    while (plan.blockingSeconds() > 0) {
      double time = plan.blockingSeconds();
      Set<Integer> cut = plan.certificate().map(c -> Set.copyOf(c.senders())).orElse(Set.of());
      List<Transfer> held = plan.transfers().stream().filter(t -> cut.contains(t.from())).toList();
      for (Transfer transfer : held) {
        seconds[transfer.from()] = plan.senderSeconds(transfer.from());
        reduction.settle(transfer, room(problem, transfer, whole), time);
      }
      settled.addAll(held);
      FlowOutcome next = solver.solve(reduction.problem(), whole);
      boolean good =
          !held.isEmpty()
              && next instanceof TransferPlan later
              && later.blockingSeconds() <= time * ROUNDING;
      if (!good) { // rounding left the last of them too little; they keep their transfers
        addRest(plan, cut, settled, seconds);
        break;
      }
      plan = (TransferPlan) next;
    }
    return merged(settled, seconds, first);
  }

  /** The bytes of spare and shared capacities that a transfer takes; a short chunk counts whole. */
  private static double room(FlowProblem problem, Transfer transfer, boolean whole) {
    double chunk = problem.chunkBytes();
    return whole ? Math.ceil(transfer.bytes() / chunk) * chunk : transfer.bytes();
  }

  private static void addRest(
      TransferPlan plan, Set<Integer> cut, List<Transfer> settled, double[] seconds) {
    for (Transfer transfer : plan.transfers()) {
      if (!cut.contains(transfer.from())) {
        settled.add(transfer);
        seconds[transfer.from()] = plan.senderSeconds(transfer.from());
      }
    }
  }

  private static TransferPlan merged(
      List<Transfer> transfers, double[] seconds, TransferPlan first) {
    List<Transfer> ordered =
        transfers.stream()
            .sorted(Comparator.comparingInt(Transfer::from))
            .collect(Collectors.toList());
    return new TransferPlan(
        ordered.stream().mapToInt(Transfer::from).toArray(),
        ordered.stream().mapToInt(Transfer::to).toArray(),
        ordered.stream().mapToDouble(Transfer::bytes).toArray(),
        Arrays.copyOf(seconds, seconds.length),
        first.certificate().orElse(null));
  }
}
