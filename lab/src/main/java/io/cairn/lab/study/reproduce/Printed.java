package io.cairn.lab.study.reproduce;

import java.math.BigDecimal;

/**
 * A number as a paper prints it; its digits say how precisely.
 *
 * @param text a decimal number, with or without an exponent
 */
record Printed(String text) {

  double value() {
    return decimal().doubleValue();
  }

  /** The value of 1 in the last digit. */
  double lastPlace() {
    return BigDecimal.ONE.movePointLeft(decimal().scale()).doubleValue();
  }

  private BigDecimal decimal() {
    return new BigDecimal(text);
  }
}
