package io.cairn.examples.wave;

import java.util.List;

/**
 * All that the demonstration found.
 *
 * @param identical whether the image has the bits of the run in memory
 * @param imageRelativeError its relative difference, as a root of squares
 * @param interfaces of the earth, from the surface down
 * @param peaks steps at which the record of a source in the middle peaks there
 * @param levels bytes of all processes
 * @param recomputedSteps steps that replaced states which a kill had lost
 */
record WaveReport(
    boolean identical,
    double imageRelativeError,
    List<Face> interfaces,
    List<Integer> peaks,
    long recomputedSteps,
    List<Transfers.LevelBytes> levels,
    double waitMillis,
    double seconds) {
  /** The largest distance of the image from an interface. */
  record Face(String name, double worstMeters) {}
}
