package io.cairn.lab.study.pattern;

/**
 * A pattern and its overheads: extra run time per second of work.
 *
 * @param pattern the pattern
 * @param firstOrder by the first-order formula, at the pattern's counts and length
 * @param lowerBound what no pattern of this subset goes below, to first order
 * @param exact by the exact expected time; infinite if that has no double
 */
public record EvaluatedPattern(
    CheckpointPattern pattern, double firstOrder, double lowerBound, double exact) {}
