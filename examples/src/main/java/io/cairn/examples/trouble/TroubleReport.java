package io.cairn.examples.trouble;

import java.util.List;

/**
 * The findings of the demo; the content of {@code --json}. Losses that are no number are the string
 * {@code NaN}.
 *
 * @param good whether every training ended as it has to
 */
record TroubleReport(boolean good, int iterations, List<Training> trainings, double seconds) {
  /** Copies the list. */
  TroubleReport {
    trainings = List.copyOf(trainings);
  }

  /**
   * One training.
   *
   * @param digest of parameters and updater state at the end
   * @param expected the digest that it has to have; empty if it cannot equal another training
   * @param accuracy on the test samples, 0 to 1
   * @param good whether the digest is the expected one; without one, whether the training ended
   *     with a finite loss and at most 0.1 below the undisturbed accuracy
   * @param losses of all iterations in the order of their training, repeated ones included
   */
  record Training(
      String name,
      List<Plants.Planted> planted,
      List<Back> rollBacks,
      String digest,
      String expected,
      double accuracy,
      boolean good,
      List<Loss> losses) {
    /** Copies the lists. */
    Training {
      planted = List.copyOf(planted);
      rollBacks = List.copyOf(rollBacks);
      losses = List.copyOf(losses);
    }
  }

  /** A loss. */
  record Loss(int iteration, double loss) {}

  /**
   * A roll-back.
   *
   * @param iteration the troubled one
   * @param restored the checkpoint
   * @param millis from the discovery until the training went on
   */
  record Back(
      long iteration,
      double loss,
      String restored,
      long restoredIteration,
      String level,
      double millis,
      String remedy) {}
}
