package io.cairn.lab.study.pattern;

import java.util.Locale;

/** By what a pattern is chosen. */
public enum Optimizer {
  /** The formulas of the paper: dynamic program, rounded counts, closed-form length. */
  FIRST_ORDER,
  /** The exact expected time over subsets, counts and length. */
  EXACT;

  /** The name as users write it: in lower case, with hyphens. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
