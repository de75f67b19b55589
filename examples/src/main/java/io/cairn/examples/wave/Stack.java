package io.cairn.examples.wave;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/**
 * The images of several shots, added up, and what a reader looks at: how they change with depth.
 */
final class Stack {
  /** Above this depth the waves of the source itself blind the image. */
  private static final double MUTED_METERS = 250;

  private static final double LEAST_LIGHT = 1e-3;
  private static final double GAIN_METERS = 400;
  private static final double NEAR_METERS = 75;

  private final Grid grid;
  private final double[] image;
  private final double[] illumination;

  Stack(Grid grid) {
    this.grid = grid;
    image = new double[grid.cells()];
    illumination = new double[grid.cells()];
  }

  /** Adds a shot. */
  void add(double[] shotImage, double[] shotIllumination) {
    for (int i = 0; i < image.length; i++) {
      image[i] += shotImage[i];
      illumination[i] += shotIllumination[i];
    }
  }

  /** Every bit of the sums. */
  byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Double.BYTES * image.length);
    bytes.asDoubleBuffer().put(image).put(illumination);
    return bytes.array();
  }

  /** The difference of the image in these bytes, relative to this one, as a root of squares. */
  double relativeError(byte[] other) {
    DoubleBuffer values = ByteBuffer.wrap(other).asDoubleBuffer();
    double difference = 0;
    double size = 0;
    for (int i = 0; i < image.length; i++) {
      double away = values.get(i) - image[i];
      difference += away * away;
      size += image[i] * image[i];
    }
    return Math.sqrt(difference / size);
  }

  /** By the light that reached a cell; by column and row, without the rim. */
  double[][] normalized() {
    double most = 0;
    for (double each : illumination) {
      most = Math.max(most, each);
    }
    double[][] result = new double[grid.innerColumns()][grid.zCells()];
    for (int number = 0; number < result.length; number++) {
      int top = grid.innerColumn(number) * grid.height() + grid.rim();
      for (int row = 0; row < grid.zCells(); row++) {
        result[number][row] = image[top + row] / (illumination[top + row] + LEAST_LIGHT * most);
      }
    }
    return result;
  }

  /** The change of the image with depth, deeper parts amplified. */
  double[][] derivative() {
    double[][] normalized = normalized();
    double[][] result = new double[normalized.length][grid.zCells()];
    for (int number = 0; number < result.length; number++) {
      for (int row = 1; row < grid.zCells() - 1; row++) {
        double z = row * grid.meters();
        double gain = z / GAIN_METERS * (z / GAIN_METERS);
        double change = normalized[number][row + 1] - normalized[number][row - 1];
        result[number][row] = z < MUTED_METERS ? 0 : gain * change / (2 * grid.meters());
      }
    }
    return result;
  }

  /**
   * The largest distance of an interface from the least derivative nearby, in meters, over the
   * columns of the middle half of each axis. The derivative is negative where a faster layer
   * begins.
   */
  double worstMeters(Earth.Face face) {
    double[][] derivative = derivative();
    double worst = 0;
    for (int number = 0; number < derivative.length; number++) {
      double x = grid.x(grid.innerColumn(number));
      double y = grid.y(grid.innerColumn(number));
      if (isMiddle(x, grid.xMeters()) && isMiddle(y, grid.yMeters())) {
        double depth = face.depth(x, y);
        worst = Math.max(worst, Math.abs(least(derivative[number], depth) - depth));
      }
    }
    return worst;
  }

  private static boolean isMiddle(double at, double end) {
    return at >= end / 4 && at <= end * 3 / 4;
  }

  /** The depth of the least value within 75 m of a depth. */
  private double least(double[] column, double depth) {
    double found = depth;
    double least = Double.MAX_VALUE;
    for (int row = 0; row < column.length; row++) {
      double z = row * grid.meters();
      if (Math.abs(z - depth) <= NEAR_METERS && column[row] < least) {
        least = column[row];
        found = z;
      }
    }
    return found;
  }
}
