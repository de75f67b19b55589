package io.cairn.examples.wave;

import java.util.List;

/**
 * Layers of one velocity each, and a ball: the squared slowness of each cell of a grid, in an array
 * with the frame. A cell that an interface crosses has the mean of its parts. Beyond the edge of
 * the grid the earth is as at the edge.
 *
 * @param faces between the layers, from the surface down
 * @param velocities of the layers, in m/s; one more than faces
 */
record Earth(List<Face> faces, List<Double> velocities, Ball ball) {
  /** In m/s; nothing is faster. */
  static final double FASTEST = 3000;

  /** Four layers, whose second interface dips, and a disc. */
  static final Earth PLANE =
      new Earth(
          List.of(
              new Face("first", 400, 0, 0),
              new Face("dipping", 600, 1.0 / 15, 0),
              new Face("third", 1100, 0, 0)),
          List.of(1500.0, 1900.0, 2300.0, 2800.0),
          new Ball(1800, 0, 900, 50));

  /** Three layers, whose second interface dips along x and, half as much, along y. */
  static final Earth BOX =
      new Earth(
          List.of(new Face("flat", 350, 0, 0), new Face("dipping", 560, 1.0 / 10, 1.0 / 20)),
          List.of(1800.0, 2200.0, 2700.0),
          new Ball(0, 0, 0, 0));

  private static final int PARTS = 8;

  /**
   * An interface.
   *
   * @param meters its depth at the corner within the rim
   * @param xSlope meters that it goes down per meter along x
   * @param ySlope meters that it goes down per meter along y
   */
  record Face(String name, double meters, double xSlope, double ySlope) {
    /** In meters. */
    double depth(double x, double y) {
      return meters + xSlope * x + ySlope * y;
    }

    private boolean crosses(double x, double y, double z, double half) {
      double reach = half * (1 + Math.abs(xSlope) + Math.abs(ySlope));
      return Math.abs(depth(x, y) - z) <= reach;
    }
  }

  /** A ball of {@link #FASTEST}, or a disc in a plane; all in meters. */
  record Ball(double x, double y, double z, double radius) {
    private double distance(double otherX, double otherY, double otherZ) {
      double xAway = otherX - x;
      double yAway = otherY - y;
      double zAway = otherZ - z;
      return Math.sqrt(xAway * xAway + yAway * yAway + zAway * zAway);
    }

    private boolean crosses(double otherX, double otherY, double otherZ, double half) {
      return radius > 0 && distance(otherX, otherY, otherZ) <= radius + 2 * half;
    }
  }

  /** Copies the lists. */
  Earth {
    faces = List.copyOf(faces);
    velocities = List.copyOf(velocities);
  }

  /** As the data are recorded. */
  double[] real(Grid grid) {
    return sampled(grid);
  }

  /** The slowness of the layers without the ball, smoothed, as the image is made with. */
  double[] smooth(Grid grid, double sigmaMeters) {
    double[] slowness = new Earth(faces, velocities, new Ball(0, 0, 0, 0)).sampled(grid);
    for (int i = 0; i < slowness.length; i++) {
      slowness[i] = Math.sqrt(slowness[i]);
    }
    double[] smoothed = new Smoothing(grid, sigmaMeters).of(slowness);
    for (int i = 0; i < smoothed.length; i++) {
      smoothed[i] *= smoothed[i];
    }
    return smoothed;
  }

  private double[] sampled(Grid grid) {
    double[] model = new double[grid.length()];
    for (int column = 0; column < grid.columns(); column++) {
      for (int row = 0; row < grid.height(); row++) {
        model[grid.at(column, row)] = cell(grid, grid.x(column), grid.y(column), grid.z(row));
      }
    }
    return model;
  }

  private double cell(Grid grid, double x, double y, double z) {
    double half = grid.meters() / 2;
    double nearX = clamp(x, grid.xMeters());
    double nearY = clamp(y, grid.yMeters());
    double nearZ = clamp(z, grid.zMeters());
    boolean crossed =
        ball.crosses(nearX, nearY, nearZ, half)
            || faces.stream().anyMatch(face -> face.crosses(nearX, nearY, nearZ, half));
    return crossed ? mean(grid, x, y, z) : squaredSlowness(nearX, nearY, nearZ);
  }

  private double mean(Grid grid, double x, double y, double z) {
    int yParts = grid.isPlane() ? 1 : PARTS;
    double sum = 0;
    for (int i = 0; i < PARTS; i++) {
      double partX = clamp(x + part(i, PARTS) * grid.meters(), grid.xMeters());
      for (int j = 0; j < yParts; j++) {
        double partY = clamp(y + part(j, yParts) * grid.meters(), grid.yMeters());
        for (int k = 0; k < PARTS; k++) {
          double partZ = clamp(z + part(k, PARTS) * grid.meters(), grid.zMeters());
          sum += squaredSlowness(partX, partY, partZ);
        }
      }
    }
    return sum / (PARTS * yParts * PARTS);
  }

  /** The middle of a part, from the middle of the whole. */
  private static double part(int number, int parts) {
    return (number + 0.5) / parts - 0.5;
  }

  private static double clamp(double value, double most) {
    return Math.max(0, Math.min(most, value));
  }

  private double squaredSlowness(double x, double y, double z) {
    double velocity = velocity(x, y, z);
    return 1 / (velocity * velocity);
  }

  private double velocity(double x, double y, double z) {
    if (ball.distance(x, y, z) < ball.radius()) {
      return FASTEST;
    }
    int layer = 0;
    while (layer < faces.size() && z >= faces.get(layer).depth(x, y)) {
      layer++;
    }
    return velocities.get(layer);
  }
}
