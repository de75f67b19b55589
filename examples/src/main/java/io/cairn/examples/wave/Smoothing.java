package io.cairn.examples.wave;

/** A Gaussian over columns, then over rows. Cells beyond the edge count as those at the edge. */
final class Smoothing {
  private final Grid grid;
  private final double[] weights;

  Smoothing(Grid grid, double sigmaMeters) {
    this.grid = grid;
    int reach = (int) Math.ceil(4 * sigmaMeters / grid.meters());
    weights = new double[2 * reach + 1];
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      double distance = (i - reach) * grid.meters() / sigmaMeters;
      weights[i] = Math.exp(-distance * distance / 2);
      sum += weights[i];
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= sum;
    }
  }

  double[] of(double[] values) {
    return pass(pass(values, 1, 0), 0, 1);
  }

  private double[] pass(double[] values, int columnStep, int rowStep) {
    double[] result = new double[values.length];
    int reach = weights.length / 2;
    for (int column = 0; column < grid.width(); column++) {
      for (int row = 0; row < grid.height(); row++) {
        double sum = 0;
        for (int i = -reach; i <= reach; i++) {
          int from = Math.min(grid.width() - 1, Math.max(0, column + i * columnStep));
          int at = Math.min(grid.height() - 1, Math.max(0, row + i * rowStep));
          sum += weights[i + reach] * values[grid.at(from, at)];
        }
        result[grid.at(column, row)] = sum;
      }
    }
    return result;
  }
}
