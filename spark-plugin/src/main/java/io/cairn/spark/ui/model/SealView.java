package io.cairn.spark.ui.model;

/**
 * The newest checkpoint of a rank that a level holds.
 *
 * @param capturedMillis since 1970
 */
public record SealView(long epoch, long iteration, long capturedMillis) {
  /** Whether this one is newer than the other. */
  boolean isAfter(SealView other) {
    return epoch > other.epoch || (epoch == other.epoch && iteration > other.iteration);
  }
}
