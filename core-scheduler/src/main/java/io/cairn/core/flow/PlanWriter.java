package io.cairn.core.flow;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects transfers and computes their times. Keeps its arrays from plan to plan; one thread. Time
 * and space are linear in transfers and devices.
 */
final class PlanWriter {
  private int[] from = new int[16];
  private int[] to = new int[16];
  private double[] bytes = new double[16];
  private int count;

  void begin() {
    count = 0;
  }

  void add(int sender, int receiver, double size) {
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
      bytes = Arrays.copyOf(bytes, 2 * count);
    }
    from[count] = sender;
    to[count] = receiver;
    bytes[count++] = size;
  }

  /** Adds to the transfer that was added last. */
  void addToLast(double size) {
    bytes[count - 1] += size;
  }

  /** The plan in bytes: a transfer's time is its bytes over its rate. */
  TransferPlan inBytes(FlowProblem problem, @Nullable Certificate certificate) {
    return plan(problem, 1, bytes, Arrays.copyOf(bytes, count), certificate);
  }

  /**
   * The plan in whole chunks, from transfers that were added in chunks. The last transfer of a
   * sender carries its short chunk, which takes the time of a whole one.
   */
  TransferPlan inChunks(FlowProblem problem, @Nullable Certificate certificate) {
    double chunkBytes = problem.chunkBytes();
    double[] exact = new double[count];
    for (int i = 0; i < count; i++) {
      exact[i] = bytes[i] * chunkBytes;
      if (i + 1 == count || from[i + 1] != from[i]) {
        int sender = from[i];
        exact[i] -= problem.remainderChunks(sender) * chunkBytes - problem.remainderBytes(sender);
      }
    }
    return plan(problem, chunkBytes, bytes, exact, certificate);
  }

  private TransferPlan plan(
      FlowProblem problem,
      double unitBytes,
      double[] units,
      double[] exactBytes,
      @Nullable Certificate certificate) {
    double[] seconds = new double[problem.devices()];
    Topology topology = problem.topology();
    Links links = topology.links();
    for (int i = 0; i < count; i++) {
      int sender = from[i];
      double rate =
          to[i] == Transfer.HOST ? topology.hostBytesPerSecond(sender) : links.rate(sender, to[i]);
      if (rate > 0 || !viaNetwork(topology, i)) {
        seconds[sender] = Math.max(seconds[sender], units[i] * unitBytes / rate);
      }
    }
    if (topology.hasSharedCapacities()) {
      SharedUse use = new SharedUse(topology);
      for (int i = 0; i < count; i++) {
        use.add(from[i], to[i], units[i] * unitBytes);
      }
      for (int i = 0; i < count; i++) {
        seconds[from[i]] = Math.max(seconds[from[i]], use.seconds(from[i], to[i]));
      }
    }
    return new TransferPlan(
        Arrays.copyOf(from, count), Arrays.copyOf(to, count), exactBytes, seconds, certificate);
  }

  private boolean viaNetwork(Topology topology, int transfer) {
    return to[transfer] != Transfer.HOST && topology.viaNetwork(from[transfer], to[transfer]);
  }
}
