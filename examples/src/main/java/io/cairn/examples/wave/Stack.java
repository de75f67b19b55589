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

  /** By the light that reached a cell; column by column, without the rim. */
  double[][] normalized() {
    double most = 0;
    for (double each : illumination) {
      most = Math.max(most, each);
    }
    double[][] result = new double[grid.columns()][grid.rows()];
    for (int column = 0; column < grid.columns(); column++) {
      for (int row = 0; row < grid.rows(); row++) {
        int cell = (column + grid.rim()) * grid.height() + row + grid.rim();
        result[column][row] = image[cell] / (illumination[cell] + LEAST_LIGHT * most);
      }
    }
    return result;
  }

  /** The change of the image with depth, deeper parts amplified. */
  double[][] derivative() {
    double[][] normalized = normalized();
    double[][] result = new double[grid.columns()][grid.rows()];
    for (int column = 0; column < grid.columns(); column++) {
      for (int row = 1; row < grid.rows() - 1; row++) {
        double z = row * grid.meters();
        double gain = z / GAIN_METERS * (z / GAIN_METERS);
        double change = normalized[column][row + 1] - normalized[column][row - 1];
        result[column][row] = z < MUTED_METERS ? 0 : gain * change / (2 * grid.meters());
      }
    }
    return result;
  }

  /**
   * The largest distance of an interface from the extremum of the derivative nearby, in meters,
   * over the columns from 750 m to 2250 m.
   */
  double worstMeters(int face) {
    double[][] derivative = derivative();
    double worst = 0;
    for (int column = 0; column < grid.columns(); column++) {
      double x = column * grid.meters();
      if (x >= 750 && x <= 2250) {
        double depth = Earth.depth(face, x);
        worst = Math.max(worst, Math.abs(extremum(derivative[column], depth) - depth));
      }
    }
    return worst;
  }

  /** The depth of the largest magnitude within 75 m of a depth. */
  private double extremum(double[] column, double depth) {
    double found = depth;
    double most = -1;
    for (int row = 0; row < column.length; row++) {
      double z = row * grid.meters();
      if (Math.abs(z - depth) <= 75 && Math.abs(column[row]) > most) {
        most = Math.abs(column[row]);
        found = z;
      }
    }
    return found;
  }
}
