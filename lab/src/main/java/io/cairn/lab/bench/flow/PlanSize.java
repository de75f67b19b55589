package io.cairn.lab.bench.flow;

import io.cairn.core.flow.CutCertificate;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.TransferPlan;

/** How many bytes a plan is: what a scheduler that allocates nothing else must allocate. */
final class PlanSize {
  private static final int ALIGNMENT = 8;
  private static final int ARRAY_HEADER = 16;

  /** Of the plan and of its certificate, with references of 32 bits. */
  private static final int OBJECTS = 40 + 40;

  private PlanSize() {}

  /** The mean over the instances of a size. */
  static double meanBytes(int devices) {
    ParametricFlowScheduler scheduler = new ParametricFlowScheduler();
    FlowProblem[] problems = Instances.dense(devices);
    double sum = 0;
    for (FlowProblem problem : problems) {
      if (scheduler.schedule(problem) instanceof TransferPlan plan) {
        sum += bytes(plan, devices);
      }
    }
    return sum / problems.length;
  }

  /** From, to and bytes of the transfers, the end of each device, and the certificate's devices. */
  static long bytes(TransferPlan plan, int devices) {
    int transfers = plan.transfers().size();
    long bytes =
        OBJECTS
            + 2 * array(transfers, Integer.BYTES)
            + array(transfers, Double.BYTES)
            + array(devices, Double.BYTES);
    CutCertificate certificate = plan.certificate().orElse(null);
    return certificate == null
        ? bytes
        : bytes
            + array(certificate.senders().size(), Integer.BYTES)
            + array(certificate.receivers().size(), Integer.BYTES);
  }

  private static long array(int length, int width) {
    long bytes = ARRAY_HEADER + (long) length * width;
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}
