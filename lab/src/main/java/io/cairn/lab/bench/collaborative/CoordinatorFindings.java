package io.cairn.lab.bench.collaborative;

import io.cairn.lab.measure.Samples.Quantiles;

/**
 * The costs of a coordinator.
 *
 * @param ranks of the one group
 * @param planMillis from the arrival of the last report until all answers are made
 * @param processes that were ranks of a small group
 * @param roundTripMillis of one of them, from asking until it has its answer, for which all of them
 *     must have asked
 * @param waitingBytes of heap per report that waits for the others
 * @param keptBytes of heap per rank when all are answered, more than before the first report
 */
record CoordinatorFindings(
    int ranks,
    Quantiles planMillis,
    int processes,
    Quantiles roundTripMillis,
    double waitingBytes,
    double keptBytes) {}
