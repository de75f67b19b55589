package io.cairn.lab.study.reproduce;

/**
 * A number that the text of a paper gives for one of its figures.
 *
 * @param exhibit the figure
 * @param what the number is of; overheads and efficiencies are parts of 1
 * @param printed the number
 * @param relation how the text puts it
 * @param tolerance how far off a number may be that is not {@link Relation#ROUNDED}: the rounding
 *     of the text
 */
record Statement(String exhibit, String what, String printed, Relation relation, double tolerance) {

  /** How a text puts a number. */
  enum Relation {
    /** With rounded digits. */
    ROUNDED(""),
    /** Roughly. */
    ABOUT("about "),
    /** As a lower bound. */
    AT_LEAST("at least "),
    /** As an upper bound. */
    AT_MOST("at most ");

    private final String prefix;

    Relation(String prefix) {
      this.prefix = prefix;
    }
  }

  /** The number, in the words of its relation. */
  String text() {
    return relation.prefix + printed;
  }

  Agreement agreement(double ours) {
    Printed number = new Printed(printed);
    return switch (relation) {
      case ROUNDED -> Agreement.rounded(number, ours, 0);
      case ABOUT -> Agreement.of(Math.abs(ours - number.value()) <= tolerance);
      case AT_LEAST -> Agreement.of(ours >= number.value() - tolerance);
      case AT_MOST -> Agreement.of(ours <= number.value() + tolerance);
    };
  }
}
