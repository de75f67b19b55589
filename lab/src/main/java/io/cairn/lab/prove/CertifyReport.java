package io.cairn.lab.prove;

import io.cairn.lab.measure.MeasuredMachine;
import java.util.List;

/**
 * The findings of {@code prove certify}; its JSON is these records.
 *
 * @param date when, in UTC
 * @param seconds the whole run took
 * @param sound replays without anything planted that were certified
 * @param alarms those that were not
 */
record CertifyReport(
    String date,
    MeasuredMachine machine,
    double seconds,
    int sound,
    int alarms,
    List<Planted> planted) {
  CertifyReport {
    planted = List.copyOf(planted);
  }

  /** The fate of something planted. */
  enum Outcome {
    /** The replay found it. */
    CAUGHT,
    /** The checkpoint has the bytes of the undisturbed training: nothing is there to find. */
    NO_TRACE,
    /** The checkpoint was certified although its bytes are wrong. */
    MISSED
  }

  /**
   * An omission or a flip.
   *
   * @param kind the part of the state, or where the bit lay
   * @param from iteration of the predecessor
   * @param target iteration of the checkpoint
   * @param found what differed
   */
  record Planted(
      String kind, ProofCase one, long from, long target, Outcome outcome, String found) {}

  /** Planted things with an outcome. */
  long count(Outcome outcome) {
    return planted.stream().filter(one -> one.outcome() == outcome).count();
  }

  /** Whether everything that left a trace was caught, and nothing else raised an alarm. */
  boolean passed() {
    return alarms == 0 && count(Outcome.MISSED) == 0 && count(Outcome.CAUGHT) > 0;
  }
}
