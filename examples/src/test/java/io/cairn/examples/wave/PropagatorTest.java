package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The adjoint is the same step run backward: dot products agree to rounding. */
class PropagatorTest {
  private static final Grid GRID = new Grid(30, 24, 8, 12.5);
  private static final int STEPS = 60;
  private static final double DT = 0.002;

  private final SplittableRandom random = new SplittableRandom(11);
  private final double[] model = model();
  private final Propagator propagator = new Propagator(GRID, model, DT);

  private double[] model() {
    double[] squared = new double[GRID.length()];
    for (int i = 0; i < squared.length; i++) {
      double velocity = 1500 + random.nextInt(1400);
      squared[i] = 1 / (velocity * velocity);
    }
    return squared;
  }

  /** A value for each cell and step, zero on the frame. */
  private double[][] noise() {
    double[][] noise = new double[STEPS][GRID.length()];
    for (double[] each : noise) {
      for (int column = 0; column < GRID.width(); column++) {
        for (int row = 0; row < GRID.height(); row++) {
          each[GRID.at(column, row)] = random.nextDouble() - 0.5;
        }
      }
    }
    return noise;
  }

  /** The fields that sources make; the source of a step acts on the field after it. */
  private double[][] run(double[][] sources) {
    double[][] fields = new double[STEPS + 1][GRID.length()];
    for (int step = 0; step < STEPS; step++) {
      double[] after = step == 0 ? new double[GRID.length()] : fields[step - 1].clone();
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

  private static double dot(double[] one, double[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += one[i] * other[i];
    }
    return sum;
  }

  @Test
  void thePropagatorHasThisAdjoint() {
    double[][] sources = noise();
    double[][] data = noise();
    double[][] fields = run(sources);
    double[][] back = run(reversed(data));
    double forward = 0;
    double backward = 0;
    for (int step = 0; step < STEPS; step++) {
      forward += dot(fields[step + 1], data[step]);
      backward += dot(sources[step], back[STEPS - step]);
    }
    assertThat(backward / forward).isCloseTo(1, within(1e-10));
  }

  @Test
  void theMigrationIsTheAdjointOfBorn() {
    double[][] fields = run(noise());
    double[][] data = noise();
    double[] change = noise()[0];
    double[][] secondary = new double[STEPS][GRID.length()];
    double[][] second = new double[STEPS][GRID.length()];
    for (int step = 0; step < STEPS; step++) {
      for (int i = 0; i < change.length; i++) {
        double before = step == 0 ? 0 : fields[step - 1][i];
        second[step][i] = fields[step + 1][i] - 2 * fields[step][i] + before;
        secondary[step][i] = -change[i] * second[step][i];
      }
    }
    double[][] scattered = run(secondary);
    double[][] back = run(reversed(data));
    double forward = 0;
    double backward = 0;
    for (int step = 0; step < STEPS; step++) {
      forward += dot(scattered[step + 1], data[step]);
      double[] lambda = back[STEPS - step];
      for (int i = 0; i < change.length; i++) {
        backward -= change[i] * second[step][i] * lambda[i];
      }
    }
    assertThat(backward / forward).isCloseTo(1, within(1e-10));
  }

  @Test
  void aPackedFieldKeepsItsBound() {
    float[] field = new float[GRID.cells()];
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

  @Test
  void theMigrationOfAShotIsThatAdjoint() {
    Survey survey = new Survey(GRID, STEPS, DT);
    double[][] residual = new double[GRID.columns()][STEPS];
    for (double[] each : residual) {
      for (int i = 0; i < STEPS; i++) {
        each[i] = random.nextDouble() - 0.5;
      }
    }
    Migration migration = new Migration(survey, model, 100, residual);
    Shots.runInMemory(migration, STEPS);
    double[][] sources = new double[STEPS][GRID.length()];
    double[][] data = new double[STEPS][GRID.length()];
    for (int step = 0; step < STEPS; step++) {
      sources[step][survey.source(100)] = survey.wavelet(step);
      for (int i = 0; i < residual.length; i++) {
        data[step][survey.receivers()[i]] += residual[i][step];
      }
    }
    double[][] fields = run(sources);
    double[][] back = run(reversed(data));
    double[] image = migration.image();
    double difference = 0;
    double size = 0;
    int cell = 0;
    for (int column = 0; column < GRID.width(); column++) {
      for (int row = 0; row < GRID.height(); row++, cell++) {
        int at = GRID.at(column, row);
        double expected = 0;
        for (int step = 0; step < STEPS; step++) {
          double before = step == 0 ? 0 : fields[step - 1][at];
          double second = fields[step + 1][at] - 2 * fields[step][at] + before;
          expected -= second * back[STEPS - step][at];
        }
        difference += (image[cell] - expected) * (image[cell] - expected);
        size += expected * expected;
      }
    }
    assertThat(Math.sqrt(difference / size)).isLessThan(1e-5);
  }
}
