package io.cairn.lab.bench.collaborative;

import io.cairn.lab.schedule.Algorithm;

/**
 * One checkpoint that was executed.
 *
 * @param snapshot the trace's number
 * @param predictedSeconds by the plan, over the links as they are declared
 * @param trueSeconds the same plan's, over the links as they are
 * @param measuredSeconds from the first report until the last copy had landed
 * @param verifiedBytes that lay with peers or in host memory, each as it should be
 */
record Execution(
    int cacheMegabytes,
    long snapshot,
    Algorithm algorithm,
    double predictedSeconds,
    double trueSeconds,
    double measuredSeconds,
    long verifiedBytes) {}
