package io.cairn.examples.wave;

/**
 * Where waves start, and where they are recorded: 25 m below the surface.
 *
 * @param steps of a shot
 * @param dt seconds of a step
 */
record Survey(Grid grid, int steps, double dt) {
  private static final double DEPTH = 25;
  private static final double HERTZ = 12;
  private static final double FADES_FROM = 800;
  private static final double FADES_TO = 1100;

  /** 800 steps of 2 ms. */
  static Survey standard(int steps) {
    return new Survey(Grid.STANDARD, steps, 0.002);
  }

  /** The place of a source. */
  int source(double x) {
    return grid.at(x, DEPTH);
  }

  /** The places of the receivers, one for each column. */
  int[] receivers() {
    int[] places = new int[grid.columns()];
    for (int i = 0; i < places.length; i++) {
      places[i] = grid.at(i * grid.meters(), DEPTH);
    }
    return places;
  }

  /** A Ricker wavelet of a step, delayed by 1.2 periods. */
  double wavelet(long step) {
    double t = step * dt - 1.2 / HERTZ;
    double a = Math.PI * HERTZ * t;
    return (1 - 2 * a * a) * Math.exp(-a * a) * dt * dt;
  }

  /** The part of a record that counts, by the distance of source and receiver. */
  static double offsetWeight(double meters) {
    double part = (Math.abs(meters) - FADES_FROM) / (FADES_TO - FADES_FROM);
    double clamped = Math.max(0, Math.min(1, part));
    return 0.5 * (1 + Math.cos(Math.PI * clamped));
  }

  /** Runs a shot; the record by receiver and step, that of a step taken after it. */
  double[][] record(double[] squaredSlowness, double sourceX) {
    Propagator propagator = new Propagator(grid, squaredSlowness, dt);
    int[] receivers = receivers();
    double[][] record = new double[receivers.length][steps];
    double[] now = new double[grid.length()];
    double[] before = new double[grid.length()];
    for (int step = 0; step < steps; step++) {
      propagator.step(now, before);
      propagator.inject(before, source(sourceX), wavelet(step));
      double[] after = before;
      before = now;
      now = after;
      for (int i = 0; i < receivers.length; i++) {
        record[i][step] = now[receivers[i]];
      }
    }
    return record;
  }

  /** Recorded minus modelled; far receivers fade out. */
  double[][] residual(double[][] recorded, double[][] modelled, double sourceX) {
    double[][] residual = new double[recorded.length][steps];
    for (int i = 0; i < recorded.length; i++) {
      double weight = offsetWeight(i * grid.meters() - sourceX);
      for (int step = 0; step < steps; step++) {
        residual[i][step] = weight * (recorded[i][step] - modelled[i][step]);
      }
    }
    return residual;
  }
}
