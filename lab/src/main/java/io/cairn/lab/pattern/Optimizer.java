package io.cairn.lab.pattern;

/** By what a pattern is chosen. */
public enum Optimizer {
  /** The formulas of the paper: dynamic program, rounded counts, closed-form length. */
  FIRST_ORDER,
  /** The exact expected time over subsets, counts and length. */
  EXACT
}
