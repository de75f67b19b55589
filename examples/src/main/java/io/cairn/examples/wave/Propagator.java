package io.cairn.examples.wave;

/**
 * One time step of the damped wave equation {@code m u_tt + η u_t = Δu + q}, of order 8 in space
 * and 2 in time: {@code (m+e) u⁺ = 2m u − (m−e) u⁻ + dt² Lu + s}, with {@code e = η dt / 2}. Beyond
 * the grid there are zeros, so L is symmetric. The adjoint is therefore the same step run backward.
 * Not changed once made; thread-safe for different fields.
 */
final class Propagator {
  /** Second derivative of order 8: the middle, then one, two, three and four cells away. */
  private static final double MIDDLE = -205.0 / 72;

  private static final double ONE = 8.0 / 5;
  private static final double TWO = -1.0 / 5;
  private static final double THREE = 8.0 / 315;
  private static final double FOUR = -1.0 / 560;

  /** Smaller values vanish: numbers near the least ones make a processor slow. */
  private static final double FLOOR = 1e-30;

  private final GridSlab slab;
  private final double[] ofNow;
  private final double[] ofBefore;
  private final double[] ofSource;
  private final double perLaplacian;

  /**
   * A propagator.
   *
   * @param squaredSlowness of each cell, with the frame
   * @param dt seconds of a step
   */
  Propagator(Grid grid, double[] squaredSlowness, double dt) {
    this(GridSlab.whole(grid), squaredSlowness, dt);
  }

  /**
   * A propagator of a slab.
   *
   * @param squaredSlowness of each cell of the grid, with the frame
   */
  Propagator(GridSlab slab, double[] squaredSlowness, double dt) {
    this.slab = slab;
    Grid grid = slab.grid();
    ofNow = new double[slab.length()];
    ofBefore = new double[slab.length()];
    ofSource = new double[slab.length()];
    perLaplacian = dt * dt / (grid.meters() * grid.meters());
    for (int column = slab.firstColumn(); column < slab.endColumn(); column++) {
      for (int row = 0; row < grid.height(); row++) {
        int at = slab.at(column, row);
        double m = squaredSlowness[grid.at(column, row)];
        double e = m * damping(grid, grid.intoRim(column, row)) * dt / 2;
        ofNow[at] = 2 * m / (m + e);
        ofBefore[at] = (m - e) / (m + e);
        ofSource[at] = 1 / (m + e);
      }
    }
  }

  /** η / m at a depth in the rim, which a wave leaves with a thousandth of its height. */
  private static double damping(Grid grid, double meters) {
    if (meters == 0) {
      return 0;
    }
    double rimMeters = grid.rim() * grid.meters();
    double part = meters / rimMeters;
    return 3 * Earth.FASTEST * Math.log(1000) / (2 * rimMeters) * part * part;
  }

  /**
   * Turns {@code before}, the field of the step before {@code now}, into that of the step after.
   */
  void step(double[] now, double[] before) {
    for (int column = slab.firstColumn(); column < slab.endColumn(); column++) {
      int start = slab.at(column, 0);
      column(now, before, start, start + slab.grid().height());
    }
  }

  private void column(double[] now, double[] before, int start, int end) {
    int xStride = slab.grid().xStride();
    int yStride = slab.grid().yStride();
    boolean isPlane = slab.grid().isPlane();
    double middle = (isPlane ? 2 : 3) * MIDDLE;
    for (int i = start; i < end; i++) {
      double laplacian = middle * now[i] + around(now, i, 1) + around(now, i, xStride);
      if (!isPlane) {
        laplacian += around(now, i, yStride);
      }
      double next =
          ofNow[i] * now[i] - ofBefore[i] * before[i] + ofSource[i] * perLaplacian * laplacian;
      before[i] = next + FLOOR - FLOOR;
    }
  }

  /** The neighbours of a cell along an axis. */
  private static double around(double[] field, int i, int stride) {
    return ONE * (field[i - stride] + field[i + stride])
        + TWO * (field[i - 2 * stride] + field[i + 2 * stride])
        + THREE * (field[i - 3 * stride] + field[i + 3 * stride])
        + FOUR * (field[i - 4 * stride] + field[i + 4 * stride]);
  }

  /** Adds a source to the field of the step after. */
  void inject(double[] after, int at, double source) {
    after[at] += ofSource[at] * source;
  }
}
