package io.cairn.lab.study.reproduce;

import java.util.function.DoubleUnaryOperator;

/** Zeros of rising functions of positive numbers. */
final class Bisection {
  private static final double PRECISION = 1e-4;

  private Bisection() {}

  /** Where a rising function crosses zero, with a relative error of 1e-4; or the nearer end. */
  static double zero(double from, double to, DoubleUnaryOperator function) {
    double low = from;
    double high = to;
    while (high > low * (1 + PRECISION)) {
      double middle = Math.sqrt(low * high);
      if (function.applyAsDouble(middle) < 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.sqrt(low * high);
  }
}
