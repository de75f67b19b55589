package io.cairn.examples.wave;

/**
 * Where a shot's wave starts, below the surface.
 *
 * @param x meters from the corner within the rim
 * @param y likewise; 0 in a plane
 */
record Source(double x, double y) {
  /** In a plane. */
  Source(double x) {
    this(x, 0);
  }

  /** Meters along the surface. */
  double distance(double otherX, double otherY) {
    return Math.hypot(x - otherX, y - otherY);
  }
}
