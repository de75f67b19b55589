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

  /** The value for people: three digits, or as many more as show whether the bar is met. */
  Number found() {
    if (!Double.isFinite(value)) {
      return value;
    }
    int digits = 3;
    BigDecimal shown = new BigDecimal(FigureTable.text(value, digits));
    while (!isShownBy(shown)) {
      digits++;
      shown = new BigDecimal(FigureTable.text(value, digits));
    }
    return shown;
  }

  private boolean isShownBy(BigDecimal shown) {
    int side = shown.compareTo(BigDecimal.valueOf(limit));
    return met == (side == 0 || (side > 0) == relation.equals(">="));
  }

  /** Relation and limit. */
  String required() {
    return relation + " " + BigDecimal.valueOf(limit).stripTrailingZeros().toPlainString();
  }
}
