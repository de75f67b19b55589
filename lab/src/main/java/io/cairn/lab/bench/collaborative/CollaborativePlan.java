package io.cairn.lab.bench.collaborative;

import java.util.List;

/**
 * How much is executed.
 *
 * @param devices 1 to 8
 * @param chunkBytes what stands for a chunk of 1 MB
 * @param cacheMegabytes of each device; one set of processes for each
 * @param snapshots drawn for each cache
 * @param leastModelSeconds snapshots of which a plan is shorter on the machine that is played are
 *     not drawn, since one factor slows all
 * @param leastSeconds that every plan predicts here
 * @param runs of each algorithm on each snapshot
 * @param controls snapshots in the negative control
 */
record CollaborativePlan(
    int devices,
    int chunkBytes,
    List<Integer> cacheMegabytes,
    int snapshots,
    double leastModelSeconds,
    double leastSeconds,
    int runs,
    int controls,
    CoordinatorPlan coordinator) {
  static final CollaborativePlan FULL =
      new CollaborativePlan(
          8, 125_000, List.of(80, 128, 160), 12, 1.5e-3, 0.25, 3, 4, CoordinatorPlan.FULL);

  static final CollaborativePlan QUICK =
      new CollaborativePlan(3, 10_000, List.of(160), 1, 1.5e-3, 0.02, 1, 1, CoordinatorPlan.QUICK);

  CollaborativePlan {
    cacheMegabytes = List.copyOf(cacheMegabytes);
  }
}
