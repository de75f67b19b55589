package io.cairn.lab.planted;

import java.util.Locale;

/**
 * The result of tests over a source with a defect.
 *
 * @param detail the failed test, the reason, or the number of green tests
 * @param seconds that compilation and tests took
 */
record Finding(String defect, Verdict verdict, String detail, double seconds) {
  /** The kinds of result. */
  enum Verdict {
    /** A test failed. */
    CAUGHT,
    /** The tests did not end in time. */
    HUNG,
    /** The process of the tests ended without a result. */
    CRASHED,
    /** All tests were green. */
    SURVIVED,
    /** The source with the defect does not compile: the list is wrong. */
    UNCOMPILED
  }

  /** Whether the tests noticed the defect. */
  boolean noticed() {
    return verdict != Verdict.SURVIVED && verdict != Verdict.UNCOMPILED;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s: %s %s (%.1f s)",
        defect,
        verdict.name().toLowerCase(Locale.ROOT),
        detail,
        seconds);
  }
}
