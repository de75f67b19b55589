package io.cairn.lab.bench.staging;

import io.cairn.lab.measure.MeasuredMachine;
import java.util.List;

/**
 * The result of {@code cairn-lab bench staging}, as its JSON has it.
 *
 * @param date when it was measured
 * @param mib of the state
 * @param patternIterations from one checkpoint at STORE to the next
 * @param patterns that were measured, after as many that the model's parameters come from
 * @param workMillis of an iteration while nothing is on its way, by the calibration
 */
record StagingReport(
    String date,
    MeasuredMachine machine,
    int mib,
    int patternIterations,
    int patterns,
    double workMillis,
    List<Way> ways) {

  /**
   * One way to STORE.
   *
   * @param name of the way
   * @param bytesPerSecond bound on the rate; 0 for none
   * @param parameters of the model, from the first half of the run
   * @param measured in the second half
   * @param predicted by the model with these parameters
   * @param leastSealSeconds what the bound on the rate alone takes, less the second's worth that an
   *     idle server reads at once; 0 without a bound
   * @param sealed checkpoints of the second half that reached STORE
   */
  record Way(
      String name,
      long bytesPerSecond,
      Parameters parameters,
      Figures measured,
      Figures predicted,
      double leastSealSeconds,
      int sealed) {}

  /**
   * The parameters of the model.
   *
   * @param workSeconds t, of an iteration
   * @param stallSeconds c1, of a capture
   * @param flushSeconds lat, from the capture to the seal at STORE
   * @param slowDown alpha, the part by which an iteration takes longer meanwhile
   */
  record Parameters(
      double workSeconds, double stallSeconds, double flushSeconds, double slowDown) {}

  /**
   * The costs of a pattern.
   *
   * @param patternSeconds all of it
   * @param stallSeconds for which the training stood still
   * @param slowDownSeconds by which the iterations took longer
   * @param sealSeconds until the checkpoint was sealed at STORE
   */
  record Figures(
      double patternSeconds, double stallSeconds, double slowDownSeconds, double sealSeconds) {}
}
