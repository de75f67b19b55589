package io.cairn.lab.gpu.kit;

import java.util.List;

/**
 * The report of a run; its JSON is these records.
 *
 * @param date when it began, in UTC
 * @param library the driver's
 * @param small whether sizes were small, so that no figure was judged
 * @param gpu the GPU's name, or an empty text if it was not found
 * @param driver the driver's version, or an empty text
 * @param passed whether all parts that ran passed, and one did
 */
record KitReport(
    String date,
    String library,
    boolean small,
    String gpu,
    String driver,
    boolean passed,
    List<PartReport> parts) {
  static final String PASSED = "passed";
  static final String FAILED = "failed";
  static final String SKIPPED = "skipped";
  static final String MET = "met";
  static final String NOT_MET = "not met";
  static final String NOT_JUDGED = "not judged";

  /**
   * One part.
   *
   * @param state {@code passed}, {@code failed} or {@code skipped}
   * @param reason of a state other than {@code passed}; else empty
   * @param log the last lines of a part that did not pass
   */
  record PartReport(
      String part,
      String state,
      String reason,
      double seconds,
      List<Answer> answers,
      List<Figure> figures,
      List<String> log) {
    static PartReport skipped(KitPart part, String reason) {
      return new PartReport(part.label(), SKIPPED, reason, 0, List.of(), List.of(), List.of());
    }

    /** The answer to a question, or an empty text. */
    String answer(String question) {
      return answers.stream()
          .filter(answer -> answer.question().equals(question))
          .map(Answer::seen)
          .findFirst()
          .orElse("");
    }
  }

  /**
   * The behaviour of the driver.
   *
   * @param assumed what the fake driver does; empty if it has no part in that
   * @param agrees whether both are the same, or nothing was assumed
   */
  record Answer(String question, String assumed, String seen, boolean agrees) {}

  /**
   * A measurement.
   *
   * @param bar what it has to be, such as {@code >= 80}; else empty
   * @param verdict {@code met}, {@code not met} or {@code not judged}; empty without a bar
   */
  record Figure(String name, double value, String unit, String bar, String verdict) {}
}
