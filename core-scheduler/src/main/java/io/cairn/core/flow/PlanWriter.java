package io.cairn.core.flow;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects a problem's transfers and computes their times. Keeps its arrays from plan to plan; one
 * thread. Time and space are linear in transfers and devices.
 */
final class PlanWriter {
  private int[] from = new int[16];
  private int[] to = new int[16];
  private double[] units = new double[16];
  private double[] seconds = new double[16];
  private int count;
  private int largest;
  private double largestRate;
  private double unitBytes;
  private @Nullable SharedUse shared;

  /** Starts a plan in bytes, or whose transfers are added in chunks. */
  void begin(FlowProblem problem, boolean wholeChunks) {
    begin(problem, wholeChunks ? (double) problem.chunkBytes() : 1);
  }

  private void begin(FlowProblem problem, double bytesPerUnit) {
    count = 0;
    unitBytes = bytesPerUnit;
    if (seconds.length < problem.devices()) {
      seconds = new double[problem.devices()];
    }
    Arrays.fill(seconds, 0, problem.devices(), 0);
  }

  /**
   * Adds a transfer; those of one sender follow each other.
   *
   * @param unitsPerSecond of the link, or infinite where only shared capacities bound it
   */
  void add(int sender, int receiver, double size, double unitsPerSecond) {
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
      units = Arrays.copyOf(units, 2 * count);
    }
    if (count == 0 || from[count - 1] != sender || size > units[largest]) {
      largest = count;
      largestRate = unitsPerSecond;
    }
    from[count] = sender;
    to[count] = receiver;
    units[count++] = size;
    seconds[sender] = Math.max(seconds[sender], size / unitsPerSecond);
  }

  /** Adds a rounding difference to the largest transfer of the last sender. */
  void round(double size) {
    units[largest] += size;
    int sender = from[largest];
    seconds[sender] = Math.max(seconds[sender], units[largest] / largestRate);
  }

  /**
   * The plan. In whole chunks, the last transfer of a sender carries its short chunk, which takes
   * the time of a whole one.
   */
  TransferPlan plan(FlowProblem problem, @Nullable CutCertificate certificate) {
    double[] bytes = Arrays.copyOf(units, count);
    if (unitBytes > 1) {
      for (int i = 0; i < count; i++) {
        bytes[i] *= unitBytes;
        if (i + 1 == count || from[i + 1] != from[i]) {
          bytes[i] -=
              problem.remainderChunks(from[i]) * unitBytes - problem.remainderBytes(from[i]);
        }
      }
    }
    if (problem.topology().hasSharedCapacities()) {
      waitForShared(problem.topology());
    }
    return new TransferPlan(
        Arrays.copyOf(from, count),
        Arrays.copyOf(to, count),
        bytes,
        Arrays.copyOf(seconds, problem.devices()),
        certificate);
  }

  /**
   * The plan of a scheduler that ignores shared capacities; Infeasible if the plan uses one of zero
   * bytes per second.
   */
  FlowOutcome unproven(FlowProblem problem) {
    TransferPlan plan = plan(problem, null);
    for (int device = 0; device < problem.devices(); device++) {
      if (plan.senderSeconds(device) == Double.POSITIVE_INFINITY) {
        return new Infeasible(
            String.format(
                Locale.ROOT, "device %d would send over a shared capacity of 0 bytes/s", device),
            Optional.empty());
      }
    }
    return plan;
  }

  private void waitForShared(Topology topology) {
    SharedUse use = shared == null ? new SharedUse(topology) : shared;
    use.begin(topology);
    shared = use;
    for (int i = 0; i < count; i++) {
      use.add(from[i], to[i], units[i] * unitBytes);
    }
    for (int i = 0; i < count; i++) {
      seconds[from[i]] = Math.max(seconds[from[i]], use.seconds(from[i], to[i]));
    }
  }
}
