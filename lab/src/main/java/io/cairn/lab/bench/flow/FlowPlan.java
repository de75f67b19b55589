package io.cairn.lab.bench.flow;

import java.util.List;
import java.util.Set;

/**
 * The measurements of a run.
 *
 * @param families the parts
 * @param devices sizes of dense problems, each even; rivals run at the same
 * @param uniformDevices sizes of uniform problems
 * @param nodes sizes of clusters, of eight devices each
 * @param allocationDevices sizes at which allocation is measured
 * @param quick whether each measurement is cut short
 * @param rivalSeconds what one solve of a rival may take
 */
record FlowPlan(
    Set<Family> families,
    List<Integer> devices,
    List<Integer> uniformDevices,
    List<Integer> nodes,
    List<Integer> allocationDevices,
    boolean quick,
    double rivalSeconds) {
  private static final int MOST_DEVICES = 8192;

  FlowPlan {
    families = Set.copyOf(families);
    devices = List.copyOf(devices);
    uniformDevices = List.copyOf(uniformDevices);
    nodes = List.copyOf(nodes);
    allocationDevices = List.copyOf(allocationDevices);
    for (int each : devices) {
      if (each < 2 || each > MOST_DEVICES || each % 2 != 0) {
        throw new IllegalArgumentException(
            "half of the devices send, so their number is even, and 2 to "
                + MOST_DEVICES
                + ", not "
                + each);
      }
    }
  }

  /** All that the bars name. */
  static FlowPlan full(Set<Family> families, List<Integer> devices) {
    return new FlowPlan(
        families,
        devices.isEmpty() ? List.of(8, 128, 512, 1024, 4096) : devices,
        List.of(128, 4096),
        List.of(16, 128, 1250),
        List.of(128, 1024),
        false,
        10);
  }

  /** A little of each, to see that all runs. */
  static FlowPlan quick(Set<Family> families, List<Integer> devices) {
    return new FlowPlan(
        families,
        devices.isEmpty() ? List.of(8, 128) : devices,
        List.of(128),
        List.of(16),
        List.of(128),
        true,
        2);
  }

  /** Whether any of these parts is measured. */
  boolean has(Family... any) {
    return List.of(any).stream().anyMatch(families::contains);
  }
}
