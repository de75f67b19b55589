package io.cairn.lab.measure;

import java.math.BigDecimal;

/**
 * One figure of a measurement that must hold.
 *
 * @param relation {@code >=} or {@code <=}
 */
public record Bar(String name, double value, String relation, double limit, boolean met) {
  /** A figure that must reach a limit. */
  public static Bar atLeast(String name, double value, double limit) {
    return new Bar(name, value, ">=", limit, value >= limit);
  }

  /** A figure that must not exceed a limit. */
  public static Bar atMost(String name, double value, double limit) {
    return new Bar(name, value, "<=", limit, value <= limit);
  }

  /** Relation and limit. */
  String required() {
    return relation + " " + BigDecimal.valueOf(limit).stripTrailingZeros().toPlainString();
  }
}
