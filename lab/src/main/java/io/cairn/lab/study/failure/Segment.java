package io.cairn.lab.study.failure;

/**
 * Work, and the checkpoint after it.
 *
 * @param workSeconds how long the work takes undisturbed
 * @param level the highest level of the checkpoint; it is taken at every lower level of the pattern
 *     before
 */
public record Segment(double workSeconds, int level) {
  /**
   * Checks the work.
   *
   * @throws IllegalArgumentException if it is not positive and finite
   */
  public Segment {
    Require.positive("workSeconds", workSeconds);
  }
}
