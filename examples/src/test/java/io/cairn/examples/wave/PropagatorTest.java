package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cairn.adjoint.PackedField;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The adjoint is the same step run backward: dot products agree to rounding. */
class PropagatorTest {
  private static final int STEPS = 60;
  private static final double DT = 0.002;

  private final SplittableRandom random = new SplittableRandom(11);

  /** A grid in two dimensions or three. */
  private record Space(String name, Grid grid, Source source) {
    static final Space PLANE = new Space("plane", new Grid(30, 24, 8, 12.5), new Source(100));
    static final Space BOX = new Space("box", new Grid(7, 6, 5, 3, 15), new Source(45, 30));

    private double[] zeros() {
      return new double[grid.length()];
    }
  }

  private static List<Space> spaces() {
    return List.of(Space.PLANE, Space.BOX);
  }

  /** Squared slowness of 1500 to 2900 m/s. */
  private double[] model(Space space) {
    double[] squared = space.zeros();
    for (int i = 0; i < squared.length; i++) {
      double velocity = 1500 + random.nextInt(1400);
      squared[i] = 1 / (velocity * velocity);
    }
    return squared;
  }

  private Propagator propagator(Space space) {
    return new Propagator(space.grid, model(space), DT);
  }

  /** A value for each cell and step, zero on the frame. */
  private double[][] noise(Space space) {
    double[][] noise = new double[STEPS][space.grid.length()];
    for (double[] each : noise) {
      for (int column = 0; column < space.grid.columns(); column++) {
        for (int row = 0; row < space.grid.height(); row++) {
          each[space.grid.at(column, row)] = random.nextDouble() - 0.5;
        }
      }
    }
    return noise;
  }

  /** The fields that sources make; the source of a step acts on the field after it. */
  private static double[][] run(Propagator propagator, double[][] sources) {
    int length = sources[0].length;
    double[][] fields = new double[STEPS + 1][length];
    for (int step = 0; step < STEPS; step++) {
      double[] after = step == 0 ? new double[length] : fields[step - 1].clone();
      propagator.step(fields[step], after);
      for (int i = 0; i < after.length; i++) {
        if (sources[step][i] != 0) {
          propagator.inject(after, i, sources[step][i]);
        }
      }
      fields[step + 1] = after;
    }
    return fields;
  }

  private static double[][] reversed(double[][] of) {
    double[][] reversed = new double[of.length][];
    for (int i = 0; i < of.length; i++) {
      reversed[i] = of[of.length - 1 - i];
    }
    return reversed;
  }

  /** Of a cell, in the fields around a step. */
  private static double secondDifference(double[][] fields, int step, int at) {
    double before = step == 0 ? 0 : fields[step - 1][at];
    return fields[step + 1][at] - 2 * fields[step][at] + before;
  }

  private static double dot(double[] one, double[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += one[i] * other[i];
    }
    return sum;
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void thePropagatorHasThisAdjoint(Space space) {
    Propagator propagator = propagator(space);
    double[][] sources = noise(space);
    double[][] data = noise(space);
    double[][] fields = run(propagator, sources);
    double[][] back = run(propagator, reversed(data));
    double forward = 0;
    double backward = 0;
    for (int step = 0; step < STEPS; step++) {
      forward += dot(fields[step + 1], data[step]);
      backward += dot(sources[step], back[STEPS - step]);
    }
    assertThat(backward / forward).isCloseTo(1, within(1e-10));
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void theMigrationIsTheAdjointOfBorn(Space space) {
    Propagator propagator = propagator(space);
    double[][] fields = run(propagator, noise(space));
    double[][] data = noise(space);
    double[] change = noise(space)[0];
    double[][] secondary = new double[STEPS][change.length];
    for (int step = 0; step < STEPS; step++) {
      for (int i = 0; i < change.length; i++) {
        secondary[step][i] = -change[i] * secondDifference(fields, step, i);
      }
    }
    double[][] scattered = run(propagator, secondary);
    double[][] back = run(propagator, reversed(data));
    double forward = 0;
    double backward = 0;
    for (int step = 0; step < STEPS; step++) {
      forward += dot(scattered[step + 1], data[step]);
      backward += dot(secondary[step], back[STEPS - step]);
    }
    assertThat(backward / forward).isCloseTo(1, within(1e-10));
  }

  /** Waves spread over the cells of every axis. */
  @ParameterizedTest
  @MethodSource("spaces")
  void aWaveGoesAllWays(Space space) {
    double[][] sources = new double[STEPS][space.grid.length()];
    Survey survey = survey(space);
    sources[0][survey.place(space.source)] = 1;
    double[] field = run(propagator(space), sources)[STEPS];
    for (int column = 0; column < space.grid.columns(); column++) {
      assertThat(field[space.grid.at(column, 0)]).as("column %d", column).isNotZero();
    }
  }

  @Test
  void aPackedFieldKeepsItsBound() {
    float[] field = new float[Space.PLANE.grid.cells()];
    PackedField packed = new PackedField(field.length);
    packed.pack(field, 0);
    assertThat(packed.length()).isEqualTo(4);
    for (int i = 0; i < field.length; i++) {
      field[i] = (float) Math.sin(i * 0.01) * random.nextFloat();
    }
    packed.pack(field, 1e-3);
    assertThat(packed.length()).isLessThan(2 * field.length);
    float[] found = new float[field.length];
    packed.unpack(found);
    for (int i = 0; i < field.length; i++) {
      assertThat(found[i]).isCloseTo(field[i], within(1e-3f));
    }
  }

  private static Survey survey(Space space) {
    return new Survey(space.grid, Earth.PLANE, List.of(space.source), STEPS, DT, 12);
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void theMigrationOfAShotIsThatAdjoint(Space space) {
    double[] model = model(space);
    Survey survey = survey(space);
    double[][] residual = new double[space.grid.innerColumns()][STEPS];
    double[][] sources = new double[STEPS][space.grid.length()];
    double[][] data = new double[STEPS][space.grid.length()];
    for (int step = 0; step < STEPS; step++) {
      sources[step][survey.place(space.source)] = survey.wavelet(step);
      for (int i = 0; i < residual.length; i++) {
        residual[i][step] = random.nextDouble() - 0.5;
        data[step][survey.receivers()[i]] = residual[i][step];
      }
    }

    Migration migration = new Migration(survey, model, space.source, residual);
    Shots.runInMemory(migration, STEPS);

    Propagator propagator = new Propagator(space.grid, model, DT);
    double[][] fields = run(propagator, sources);
    double[][] back = run(propagator, reversed(data));
    double[] image = migration.image();
    double difference = 0;
    double size = 0;
    for (int cell = 0; cell < image.length; cell++) {
      int at = space.grid.at(cell / space.grid.height(), cell % space.grid.height());
      double expected = 0;
      for (int step = 0; step < STEPS; step++) {
        expected -= secondDifference(fields, step, at) * back[STEPS - step][at];
      }
      difference += (image[cell] - expected) * (image[cell] - expected);
      size += expected * expected;
    }
    assertThat(Math.sqrt(difference / size)).isLessThan(1e-5);
  }
}
