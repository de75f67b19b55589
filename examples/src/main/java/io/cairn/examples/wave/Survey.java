package io.cairn.examples.wave;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where waves start, and where they are recorded: 25 m below the surface.
 *
 * @param sources of the shots, in their order
 * @param steps of a shot
 * @param dt seconds of a step
 * @param hertz at which the wavelet has its maximum
 */
record Survey(Grid grid, Earth earth, List<Source> sources, int steps, double dt, double hertz) {
  private static final double DEPTH = 25;
  private static final double FADES_FROM = 800;
  private static final double FADES_TO = 1100;
  private static final double DELAY_PERIODS = 1.2;

  /** Copies the list. */
  Survey {
    sources = List.copyOf(sources);
  }

  /**
   * The standard one in two dimensions or three.
   *
   * @throws IllegalArgumentException for another number of them
   */
  static Survey of(int dimensions, int steps) {
    return switch (dimensions) {
      case 2 -> plane(steps);
      case 3 -> box(steps);
      default ->
          throw new IllegalArgumentException(
              "a survey of " + dimensions + " dimensions; it has 2 or 3");
    };
  }

  /** Steps of 2 ms in a plane, and nine sources, 300 m from each other. */
  static Survey plane(int steps) {
    return plane(Grid.PLANE, steps);
  }

  /** The same on another grid. */
  static Survey plane(Grid grid, int steps) {
    List<Source> sources = IntStream.rangeClosed(1, 9).mapToObj(i -> new Source(300 * i)).toList();
    return new Survey(grid, Earth.PLANE, sources, steps, 0.002, 12);
  }

  /** Steps of 4 ms in a box, and four sources. */
  static Survey box(int steps) {
    List<Source> sources =
        List.of(
            new Source(300, 300), new Source(300, 700), new Source(700, 300), new Source(700, 700));
    return new Survey(Grid.BOX, Earth.BOX, sources, steps, 0.004, 8);
  }

  /** A source above the middle of the grid. */
  Source middle() {
    return new Source(grid.xMeters() / 2, grid.yMeters() / 2);
  }

  /** The place of a source. */
  int place(Source source) {
    return grid.at(source.x(), source.y(), DEPTH);
  }

  /** The places of the receivers, one for each column without the rim. */
  int[] receivers() {
    int[] places = new int[grid.innerColumns()];
    for (int i = 0; i < places.length; i++) {
      int column = grid.innerColumn(i);
      places[i] = grid.at(grid.x(column), grid.y(column), DEPTH);
    }
    return places;
  }

  /** The number of the receiver at a source. */
  int receiverAt(Source source) {
    int place = place(source);
    int[] places = receivers();
    return IntStream.range(0, places.length).filter(i -> places[i] == place).findFirst().orElse(0);
  }

  /** A Ricker wavelet of a step, delayed by 1.2 periods. */
  double wavelet(long step) {
    double t = step * dt - DELAY_PERIODS / hertz;
    double a = Math.PI * hertz * t;
    return (1 - 2 * a * a) * Math.exp(-a * a) * dt * dt;
  }

  /**
   * The steps in which the wave of a source, and its echoes from the interfaces below, pass the
   * receiver there.
   */
  List<Double> echoes(Source source) {
    List<Double> steps = new ArrayList<>(List.of(DELAY_PERIODS / hertz / dt));
    double above = DEPTH;
    double seconds = DELAY_PERIODS / hertz;
    for (int layer = 0; layer < earth.faces().size(); layer++) {
      double depth = earth.faces().get(layer).depth(source.x(), source.y());
      seconds += 2 * (depth - above) / earth.velocities().get(layer);
      steps.add(seconds / dt);
      above = depth;
    }
    return steps;
  }

  /** The part of a record that counts, by the distance of source and receiver. */
  static double offsetWeight(double meters) {
    double part = (meters - FADES_FROM) / (FADES_TO - FADES_FROM);
    double clamped = Math.max(0, Math.min(1, part));
    return 0.5 * (1 + Math.cos(Math.PI * clamped));
  }

  /** Runs a shot; the record by receiver and step, that of a step taken after it. */
  double[][] record(double[] squaredSlowness, Source source) {
    Propagator propagator = new Propagator(grid, squaredSlowness, dt);
    int[] receivers = receivers();
    double[][] record = new double[receivers.length][steps];
    double[] now = new double[grid.length()];
    double[] before = new double[grid.length()];
    for (int step = 0; step < steps; step++) {
      propagator.step(now, before);
      propagator.inject(before, place(source), wavelet(step));
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
  double[][] residual(double[][] recorded, double[][] modelled, Source source) {
    double[][] residual = new double[recorded.length][steps];
    for (int i = 0; i < recorded.length; i++) {
      int column = grid.innerColumn(i);
      double weight = offsetWeight(source.distance(grid.x(column), grid.y(column)));
      for (int step = 0; step < steps; step++) {
        residual[i][step] = weight * (recorded[i][step] - modelled[i][step]);
      }
    }
    return residual;
  }
}
