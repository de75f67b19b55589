package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import io.cairn.core.flow.FlowOutcome;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.FlowScheduler;
import io.cairn.core.flow.Infeasible;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.Transfer;
import io.cairn.core.flow.TransferPlan;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.PlanAnswer.Part;
import io.cairn.core.sharing.PlanAnswer.PlannedLease;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes one problem from the reports of a window, and divides its plan among the ranks. Remainders
 * of one holder add up; its ranks take from its transfers one after the other. Linear, apart from
 * the scheduler.
 */
final class Planner {
  private final HolderRegistry registry;
  private final FlowScheduler scheduler;
  private final Consumer<DeskPlan> made;

  Planner(HolderRegistry registry, FlowScheduler scheduler, Consumer<DeskPlan> made) {
    this.registry = registry;
    this.scheduler = scheduler;
    this.made = made;
  }

  /** Builds the topology while the desk waits for further reports, since that takes time. */
  void prepare() {
    try {
      registry.topology();
    } catch (RuntimeException reportedByThePlan) {
      // the plan tries again, and its answers give the reason
    }
  }

  static Part toHost(Report report, String reason) {
    return new Part(
        report.checkpoint(), report.member().rank(), List.of(), report.remainderChunks(), reason);
  }

  static List<Part> allToHost(Collection<Report> reports, String reason) {
    return reports.stream().map(report -> toHost(report, reason)).toList();
  }

  /** One part per report, in the order of the reports. */
  List<Part> plan(Collection<Report> reports, long chunkBytes) {
    if (reports.stream().allMatch(report -> report.remainderChunks() == 0)) {
      return allToHost(reports, "");
    }
    try {
      Topology topology = registry.topology();
      int[] devices =
          reports.stream().mapToInt(report -> registry.device(report.holder())).toArray();
      FlowProblem problem = problem(topology, reports, devices, chunkBytes);
      FlowOutcome outcome = scheduler.schedule(problem);
      if (outcome instanceof Infeasible infeasible) {
        return allToHost(reports, "there is no plan: " + infeasible.reason());
      }
      TransferPlan plan = (TransferPlan) outcome;
      List<Part> parts = parts(reports, devices, problem, plan);
      CheckpointId first = reports.iterator().next().checkpoint();
      made.accept(new DeskPlan(first, registry.sites(), problem, plan));
      return parts;
    } catch (RuntimeException e) {
      // from the topology's source or the scheduler; it must not stop the training
      return allToHost(reports, "the plan failed: " + e);
    }
  }

  private FlowProblem problem(
      Topology topology, Collection<Report> reports, int[] devices, long chunkBytes) {
    long[] remainder = new long[topology.devices()];
    int next = 0;
    for (Report report : reports) {
      int device = devices[next++];
      if (device >= 0 && report.remainderChunks() > 0) {
        long bytes = Math.multiplyExact(report.remainderChunks(), chunkBytes);
        remainder[device] = Math.addExact(remainder[device], bytes);
      }
    }
    long[] spare = new long[remainder.length];
    for (int device = 0; device < spare.length; device++) {
      if (remainder[device] == 0) {
        spare[device] = Math.multiplyExact(registry.spareChunks(device, chunkBytes), chunkBytes);
      }
    }
    return new FlowProblem(topology, remainder, spare, chunkBytes);
  }

  private List<Part> parts(
      Collection<Report> reports, int[] devices, FlowProblem problem, TransferPlan plan) {
    Transfers transfers = new Transfers(plan, problem.chunkBytes(), problem.devices());
    List<Part> parts = new ArrayList<>(reports.size());
    for (Report report : reports) {
      int device = devices[parts.size()];
      Part part =
          device < 0
              ? toHost(report, "its holder " + report.holder() + " is not registered")
              : transfers.part(report, device);
      registry.promise(report, part.leases());
      parts.add(part);
    }
    return parts;
  }

  /** A plan's transfers by sender, from which its ranks take. */
  private final class Transfers {
    private final int[] to;
    private final int[] chunks;

    /** Per sender, the first transfer that is not used up. */
    private final int[] next;

    Transfers(TransferPlan plan, long chunkBytes, int devices) {
      List<Transfer> all = plan.transfers();
      to = new int[all.size()];
      chunks = new int[all.size()];
      next = new int[devices];
      for (int i = all.size() - 1; i >= 0; i--) {
        Transfer transfer = all.get(i);
        to[i] = transfer.to();
        // the problem has whole chunks only
        chunks[i] = (int) Math.round(transfer.bytes() / chunkBytes);
        next[transfer.from()] = i;
      }
    }

    Part part(Report report, int device) {
      int left = report.remainderChunks();
      int host = 0;
      List<PlannedLease> leases = new ArrayList<>();
      while (left > 0) {
        int at = next[device];
        int taken = Math.min(left, chunks[at]);
        if (to[at] == Transfer.HOST) {
          host += taken;
        } else if (taken > 0) {
          leases.add(new PlannedLease(registry.holder(to[at]), taken));
        }
        left -= taken;
        chunks[at] -= taken;
        next[device] += chunks[at] == 0 ? 1 : 0;
      }
      return new Part(report.checkpoint(), report.member().rank(), leases, host, "");
    }
  }
}
