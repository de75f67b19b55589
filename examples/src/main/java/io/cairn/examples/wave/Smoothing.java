package io.cairn.examples.wave;

import java.util.function.IntBinaryOperator;

/** A Gaussian along x, y and z in turn. Cells beyond the edge count as those at the edge. */
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
    double[] alongX =
        pass(values, grid.xStride(), grid.width(), (column, row) -> column / grid.breadth());
    double[] alongY =
        pass(alongX, grid.yStride(), grid.breadth(), (column, row) -> column % grid.breadth());
    return pass(alongY, 1, grid.height(), (column, row) -> row);
  }

  /** Along an axis with so many cells; the operator gives a cell's number on it. */
  private double[] pass(double[] values, int stride, int cells, IntBinaryOperator number) {
    double[] result = new double[values.length];
    for (int column = 0; column < grid.columns(); column++) {
      for (int row = 0; row < grid.height(); row++) {
        int at = grid.at(column, row);
        result[at] = mean(values, at, stride, number.applyAsInt(column, row), cells);
      }
    }
    return result;
  }

  /** The mean around a cell, which is one of so many along an axis. */
  private double mean(double[] values, int at, int stride, int cell, int cells) {
    int reach = weights.length / 2;
    double sum = 0;
    for (int i = -reach; i <= reach; i++) {
      int from = Math.max(0, Math.min(cells - 1, cell + i));
      sum += weights[i + reach] * values[at + (from - cell) * stride];
    }
    return sum;
  }
}
