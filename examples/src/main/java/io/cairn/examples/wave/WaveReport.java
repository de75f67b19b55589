package io.cairn.examples.wave;

import java.util.List;

/**
 * All that the demonstration found.
 *
 * @param identical whether the image has the bits of the run in memory
 * @param imageRelativeError its relative difference, as a root of squares
 * @param peaks steps at which the record above the source at 1500 m peaks
 * @param recomputedSteps steps that replaced states which a kill had lost
 */
record WaveReport(
    boolean identical,
    double imageRelativeError,
    List<Face> interfaces,
    List<Integer> peaks,
    long recomputedSteps,
    List<LevelBytes> levels,
    double waitMillis,
    double seconds) {
  /** The largest distance of the image from an interface. */
  record Face(String name, double worstMeters) {}

  /** Bytes of states that went down from a level, and came up to it. */
  record LevelBytes(String level, long bytesDown, long bytesUp) {}
}
