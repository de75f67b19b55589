package io.cairn.examples.wave;

/**
 * One time step of the damped wave equation {@code m u_tt + η u_t = Δu + q}, of order 8 in space
 * and 2 in time: {@code (m+e) u⁺ = 2m u − (m−e) u⁻ + dt² Lu + s}, with {@code e = η dt / 2}. Beyond
 * the grid there are zeros, so L is symmetric. The adjoint is therefore the same step run backward.
 * Not changed once made; thread-safe for different fields.
 */
final class Propagator {
  /** Second derivative of order 8: the middle, then one, two, three and four cells away. */
  private static final double[] WEIGHTS = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

  /** Smaller values vanish: numbers near the least ones make a processor slow. */
  private static final double FLOOR = 1e-30;

  /** The layer that damps is as good as one of this depth. */
  private static final double DAMPING_METERS = 500;

  private final Slab slab;
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
    this(Slab.whole(grid), squaredSlowness, dt);
  }

  /**
   * A propagator of a slab.
   *
   * @param squaredSlowness of each cell of the grid, with the frame
   */
  Propagator(Slab slab, double[] squaredSlowness, double dt) {
    this.slab = slab;
    Grid grid = slab.grid();
    ofNow = new double[slab.length()];
    ofBefore = new double[slab.length()];
    ofSource = new double[slab.length()];
    perLaplacian = dt * dt / (grid.meters() * grid.meters());
    for (int column = slab.first(); column < slab.end(); column++) {
      for (int row = 0; row < grid.height(); row++) {
        int at = slab.at(column, row);
        double m = squaredSlowness[grid.at(column, row)];
        double e = m * damping(grid.intoRim(column, row)) * dt / 2;
        ofNow[at] = 2 * m / (m + e);
        ofBefore[at] = (m - e) / (m + e);
        ofSource[at] = 1 / (m + e);
      }
    }
  }

  /** η / m at a depth in the layer that damps. */
  private static double damping(double meters) {
    double part = meters / DAMPING_METERS;
    return 3 * Earth.FASTEST * Math.log(1000) / (2 * DAMPING_METERS) * part * part;
  }

  /**
   * Turns {@code before}, the field of the step before {@code now}, into that of the step after.
   */
  void step(double[] now, double[] before) {
    int stride = slab.grid().stride();
    for (int column = slab.first(); column < slab.end(); column++) {
      int start = slab.at(column, 0);
      column(now, before, start, start + slab.grid().height(), stride);
    }
  }

  private void column(double[] now, double[] before, int start, int end, int stride) {
    double middle = 2 * WEIGHTS[0];
    double one = WEIGHTS[1];
    double two = WEIGHTS[2];
    double three = WEIGHTS[3];
    double four = WEIGHTS[4];
    for (int i = start; i < end; i++) {
      double laplacian =
          middle * now[i]
              + one * (now[i - 1] + now[i + 1] + now[i - stride] + now[i + stride])
              + two * (now[i - 2] + now[i + 2] + now[i - 2 * stride] + now[i + 2 * stride])
              + three * (now[i - 3] + now[i + 3] + now[i - 3 * stride] + now[i + 3 * stride])
              + four * (now[i - 4] + now[i + 4] + now[i - 4 * stride] + now[i + 4 * stride]);
      double next =
          ofNow[i] * now[i] - ofBefore[i] * before[i] + ofSource[i] * perLaplacian * laplacian;
      before[i] = next + FLOOR - FLOOR;
    }
  }

  /** Adds a source to the field of the step after. */
  void inject(double[] after, int at, double source) {
    after[at] += ofSource[at] * source;
  }
}
