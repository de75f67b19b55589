package io.cairn.examples.wave;

/**
 * The squared slowness of each cell, in an array with the frame. Four layers of 1500, 1900, 2300
 * and 2800 m/s, whose second interface dips, and a disc of 3000 m/s. A cell that an interface
 * crosses has the mean of its parts.
 */
final class Earth {
  /** Names of the interfaces. */
  static final String[] INTERFACES = {"first", "dipping", "third"};

  static final double FASTEST = 3000;

  private static final double[] VELOCITIES = {1500, 1900, 2300, 2800};
  private static final double DISC_X = 1800;
  private static final double DISC_Z = 900;
  private static final double DISC_RADIUS = 50;
  private static final int PARTS = 16;

  private Earth() {}

  /** The depth of an interface, in meters. */
  static double depth(int number, double x) {
    return switch (number) {
      case 0 -> 400;
      case 1 -> 700 + (x - 1500) / 15;
      default -> 1100;
    };
  }

  /** With the disc, as the data are recorded. */
  static double[] real(Grid grid) {
    return sampled(grid, true);
  }

  /** The slowness of the layers without the disc, smoothed, as the image is made with. */
  static double[] smooth(Grid grid, double sigmaMeters) {
    double[] slowness = sampled(grid, false);
    for (int i = 0; i < slowness.length; i++) {
      slowness[i] = Math.sqrt(slowness[i]);
    }
    double[] smoothed = new Smoothing(grid, sigmaMeters).of(slowness);
    for (int i = 0; i < smoothed.length; i++) {
      smoothed[i] *= smoothed[i];
    }
    return smoothed;
  }

  private static double[] sampled(Grid grid, boolean withDisc) {
    double[] model = new double[grid.length()];
    for (int column = 0; column < grid.width(); column++) {
      for (int row = 0; row < grid.height(); row++) {
        model[grid.at(column, row)] = cell(grid, column, row, withDisc);
      }
    }
    return model;
  }

  private static double cell(Grid grid, int column, int row, boolean withDisc) {
    double half = grid.meters() / 2;
    double left = clamp(grid.x(column) - half, (grid.columns() - 1) * grid.meters());
    double right = clamp(grid.x(column) + half, (grid.columns() - 1) * grid.meters());
    double upper = clamp(grid.z(row) - half, (grid.rows() - 1) * grid.meters());
    double lower = clamp(grid.z(row) + half, (grid.rows() - 1) * grid.meters());
    double velocity = velocity(left, upper, false);
    if (Math.hypot(left - DISC_X, upper - DISC_Z) > DISC_RADIUS + 2 * grid.meters()
        && velocity == velocity(right, upper, false)
        && velocity == velocity(left, lower, false)
        && velocity == velocity(right, lower, false)) {
      return 1 / (velocity * velocity); // no interface crosses it
    }
    return mean(grid, column, row, withDisc);
  }

  private static double mean(Grid grid, int column, int row, boolean withDisc) {
    double sum = 0;
    for (int i = 0; i < PARTS; i++) {
      double x =
          clamp(grid.x(column) + part(i) * grid.meters(), (grid.columns() - 1) * grid.meters());
      for (int j = 0; j < PARTS; j++) {
        double z = clamp(grid.z(row) + part(j) * grid.meters(), (grid.rows() - 1) * grid.meters());
        double inside = velocity(x, z, withDisc);
        sum += 1 / (inside * inside);
      }
    }
    return sum / (PARTS * PARTS);
  }

  private static double part(int number) {
    return (number + 0.5) / PARTS - 0.5;
  }

  private static double clamp(double value, double most) {
    return Math.max(0, Math.min(most, value));
  }

  private static double velocity(double x, double z, boolean withDisc) {
    if (withDisc && Math.hypot(x - DISC_X, z - DISC_Z) < DISC_RADIUS) {
      return FASTEST;
    }
    int layer = 0;
    while (layer < 3 && z >= depth(layer, x)) {
      layer++;
    }
    return VELOCITIES[layer];
  }
}
