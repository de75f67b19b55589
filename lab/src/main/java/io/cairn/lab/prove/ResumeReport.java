package io.cairn.lab.prove;

import io.cairn.lab.measure.MeasuredMachine;
import java.util.List;

/**
 * The findings of {@code prove resume}; its JSON is these records.
 *
 * @param date when, in UTC
 * @param seconds the whole run took
 * @param cases trainings that ended and resumed
 * @param controls restores that leave one part of the state out
 */
record ResumeReport(
    String date,
    MeasuredMachine machine,
    double seconds,
    List<Compared> cases,
    List<Control> controls) {
  ResumeReport {
    cases = List.copyOf(cases);
    controls = List.copyOf(controls);
  }

  /**
   * A training that ended and resumed.
   *
   * @param network its label
   * @param from iteration of the checkpoint that the second part resumed from; -1 if there was none
   * @param identical whether parameters and updater state ended bit for bit as without the end
   */
  record Compared(String network, ProofUpdater updater, End end, long from, boolean identical) {
    /** Whether it resumed from a checkpoint, and ended as it should. */
    boolean proven() {
      return identical && from >= 0;
    }

    /** For a table. */
    String verdict() {
      if (from < 0) {
        return "NOT RESUMED";
      }
      return identical ? "identical" : "DIFFERENT";
    }
  }

  /**
   * A restore without one part of the state.
   *
   * @param omitted the part
   * @param noticed whether the comparison found a difference
   */
  record Control(String omitted, String network, ProofUpdater updater, boolean noticed) {}

  /** The finding of a case. */
  Compared of(ProofCase one, End end) {
    return cases.stream()
        .filter(
            found ->
                found.network().equals(one.network().label())
                    && found.updater() == one.updater()
                    && found.end() == end)
        .findFirst()
        .orElseThrow();
  }

  /** Whether every case is proven, and every control was noticed. */
  boolean passed() {
    return cases.stream().allMatch(Compared::proven)
        && controls.stream().allMatch(Control::noticed);
  }
}
