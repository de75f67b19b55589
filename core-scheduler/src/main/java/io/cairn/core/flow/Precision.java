package io.cairn.core.flow;

/** The tolerances of both exact solvers, relative to the size that they are compared with. */
final class Precision {
  /** A later time that differs from the present one by less is rounding, not another cut. */
  static final double LEAST_SLACK = 1e-12;

  /** Units that are still left after so much more time cannot be shipped at this precision. */
  static final double MOST_SLACK = 1e-9;

  /** A smaller part of a remainder is rounding, not a transfer. */
  static final double DUST = 1e-11;

  /** A smaller part of a capacity or spare is rounding, not room, when flows are fractions. */
  static final double NO_ROOM = 1e-15;

  /** A smaller part of a remainder counts as shipped, when flows are fractions. */
  static final double SHIPPED = 1e-12;

  private Precision() {}
}
