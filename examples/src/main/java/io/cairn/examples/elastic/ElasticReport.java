package io.cairn.examples.elastic;

import java.util.List;

/**
 * The findings of the demo.
 *
 * @param identical whether the disturbed training ended with the undisturbed digest
 * @param attempts of the disturbed training, in their order
 * @param undisturbed digest of the training on one executor
 */
record ElasticReport(
    boolean identical,
    int virtualRanks,
    int steps,
    List<ElasticRun.Attempt> attempts,
    String disturbed,
    String undisturbed,
    double seconds) {}
