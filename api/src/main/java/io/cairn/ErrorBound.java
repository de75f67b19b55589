package io.cairn;

/**
 * The most by which a number may differ from the one that was captured.
 *
 * @param bound the most; a normal double above 0. A relative one is at most 0.5
 * @param relative whether it is a part of each number's magnitude; otherwise it is absolute
 */
public record ErrorBound(double bound, boolean relative) {
  private static final String WITHIN = "within ";
  private static final String OF_EACH = " of each value";

  /** The most that a relative bound may be. */
  private static final double MOST_RELATIVE = 0.5;

  /**
   * Checks the bound.
   *
   * @throws IllegalArgumentException if it is out of its range
   */
  public ErrorBound {
    double most = relative ? MOST_RELATIVE : Double.MAX_VALUE;
    if (!(bound >= Double.MIN_NORMAL) || bound > most) {
      throw new IllegalArgumentException(
          "error bound %s: give %s to %s".formatted(bound, Double.MIN_NORMAL, most));
    }
  }

  /** The same bound for every number. */
  public static ErrorBound absolute(double bound) {
    return new ErrorBound(bound, false);
  }

  /** A part of each number's magnitude, such as 0.001 for 0.1 %. */
  public static ErrorBound relative(double bound) {
    return new ErrorBound(bound, true);
  }

  /**
   * The bound with this text.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ErrorBound parse(String text) {
    if (!text.startsWith(WITHIN)) {
      throw new IllegalArgumentException("'" + text + "' is no error bound");
    }
    boolean relative = text.endsWith(OF_EACH);
    int end = text.length() - (relative ? OF_EACH.length() : 0);
    return new ErrorBound(Double.parseDouble(text.substring(WITHIN.length(), end)), relative);
  }

  /** Such as {@code within 0.001}, or {@code within 0.001 of each value}. */
  @Override
  public String toString() {
    return WITHIN + bound + (relative ? OF_EACH : "");
  }
}
