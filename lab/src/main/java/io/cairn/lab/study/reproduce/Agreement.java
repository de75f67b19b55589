package io.cairn.lab.study.reproduce;

/** How a computed number stands to the printed one. */
enum Agreement {
  /** Rounds to it, or keeps to what is said of it. */
  AGREES("agrees"),
  /** Differs by less than 1 in the last digit, as a number does that was cut off. */
  LAST_DIGIT("last digit"),
  /** Differs by no more than the scatter of a simulation explains. */
  WITHIN_SCATTER("within scatter"),
  /** Differs. */
  DIFFERS("differs");

  /** Standard errors that scatter may explain. */
  private static final double MOST_ERRORS = 3;

  private static final double ROUNDING = 1 + 1e-9;

  private final String text;

  Agreement(String text) {
    this.text = text;
  }

  /**
   * The agreement of a number with one that is printed with rounded digits.
   *
   * @param standardError of the difference, where both are estimates; else 0
   */
  static Agreement rounded(Printed printed, double ours, double standardError) {
    double difference = Math.abs(ours - printed.value());
    double half = printed.lastPlace() / 2 * ROUNDING;
    if (difference <= half) {
      return AGREES;
    }
    if (difference <= half + MOST_ERRORS * standardError) {
      return WITHIN_SCATTER;
    }
    return difference < printed.lastPlace() ? LAST_DIGIT : DIFFERS;
  }

  /** {@link #AGREES} or {@link #DIFFERS}. */
  static Agreement of(boolean agrees) {
    return agrees ? AGREES : DIFFERS;
  }

  @Override
  public String toString() {
    return text;
  }
}
