package io.cairn.lab.bench.collaborative;

/**
 * How much of the coordinator is measured.
 *
 * @param ranks of one group, on nodes of eight; a multiple of 8
 * @param processes that report for them; the ranks of another group, one each, for round trips
 * @param warmUps checkpoints that are not measured
 * @param checkpoints that are
 * @param warmUpRounds round trips that are not measured
 * @param rounds that are
 */
record CoordinatorPlan(
    int ranks, int processes, int warmUps, int checkpoints, int warmUpRounds, int rounds) {
  static final CoordinatorPlan FULL = new CoordinatorPlan(10_000, 8, 15, 40, 3000, 5000);

  static final CoordinatorPlan QUICK = new CoordinatorPlan(64, 2, 1, 2, 10, 20);
}
