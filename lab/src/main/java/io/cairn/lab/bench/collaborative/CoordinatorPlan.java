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
 * @param elsewhere whether the processes of the large group stand for other machines, so that they
 *     run only while nobody else wants a processor
 */
record CoordinatorPlan(
    int ranks,
    int processes,
    int warmUps,
    int checkpoints,
    int warmUpRounds,
    int rounds,
    boolean elsewhere) {
  static final CoordinatorPlan FULL = new CoordinatorPlan(10_000, 8, 15, 40, 3000, 5000, true);

  /** Measures nothing that counts, so that it ends on a busy machine, too. */
  static final CoordinatorPlan QUICK = new CoordinatorPlan(64, 2, 1, 2, 10, 20, false);
}
