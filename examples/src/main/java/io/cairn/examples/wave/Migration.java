package io.cairn.examples.wave;

import io.cairn.core.session.Region;
import io.cairn.engine.adjoint.AdjointProgram;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The migration of one shot. The forward pass runs the source's wave through the smooth model. The
 * backward pass runs the recorded differences through it, backward in time, and adds up the image
 * where both meet: {@code −Σ (u⁺ − 2u + u⁻) v}.
 */
final class Migration implements AdjointProgram {
  private final Survey survey;
  private final Grid grid;
  private final Propagator propagator;
  private final int source;
  private final int[] receivers;
  private final double[][] residual;

  /** The field of a step, and that of the step before, with the frame. */
  private final double[] now;

  private final double[] before;

  /** The field of the step, without the frame: a reversal reads it. */
  private final float[] field;

  /** The fields of the two steps after the one that is reversed. */
  private final float[] next;

  private final float[] nextButOne;
  private final double[] adjoint;
  private final double[] adjointAfter;
  private final double[] image;
  private final double[] illumination;

  /** The largest magnitude of all fields so far. */
  private final double[] largest = new double[1];

  private final double bound;
  private final @Nullable PackedField packed;

  /** The migration of a shot, with fields as they are. */
  Migration(Survey survey, double[] smoothModel, double sourceX, double[][] residual) {
    this(survey, smoothModel, sourceX, residual, 0);
  }

  /**
   * The migration of a shot.
   *
   * @param bound the largest error of a stored value, as a part of the largest value so far; 0 to
   *     store fields as they are
   */
  Migration(
      Survey survey, double[] smoothModel, double sourceX, double[][] residual, double bound) {
    this.survey = survey;
    grid = survey.grid();
    propagator = new Propagator(grid, smoothModel, survey.dt());
    source = survey.source(sourceX);
    receivers = survey.receivers();
    this.residual = residual;
    now = new double[grid.length()];
    before = new double[grid.length()];
    adjoint = new double[grid.length()];
    adjointAfter = new double[grid.length()];
    field = new float[grid.cells()];
    next = new float[grid.cells()];
    nextButOne = new float[grid.cells()];
    this.bound = bound;
    packed = bound > 0 ? new PackedField(grid.cells()) : null;
    image = new double[grid.cells()];
    illumination = new double[grid.cells()];
  }

  @Override
  public List<Region> restart() {
    return List.of(
        Region.of("now", now),
        Region.of("before", before),
        Region.of("field", field),
        Region.of("largest", largest));
  }

  @Override
  public List<Region> read() {
    return List.of(
        packed == null ? Region.of("field", field) : Region.of("packed", packed.memory()));
  }

  @Override
  public long readBytes(String region) {
    return packed == null ? -1 : packed.length();
  }

  @Override
  public List<Region> adjoint() {
    return List.of(
        Region.of("adjoint", adjoint),
        Region.of("adjointAfter", adjointAfter),
        Region.of("next", next),
        Region.of("nextButOne", nextButOne),
        Region.of("image", image),
        Region.of("illumination", illumination));
  }

  @Override
  public void step(long step) {
    propagator.step(now, before);
    propagator.inject(before, source, survey.wavelet(step));
    swap(now, before);
    int cell = 0;
    for (int column = 0; column < grid.width(); column++) {
      int at = grid.at(column, 0);
      for (int row = 0; row < grid.height(); row++) {
        field[cell++] = (float) now[at + row];
      }
    }
    if (step == survey.steps() - 1) {
      System.arraycopy(field, 0, next, 0, field.length);
    }
    for (float value : field) {
      largest[0] = Math.max(largest[0], Math.abs(value));
    }
    restored();
  }

  @Override
  public void restored() {
    if (packed != null) {
      packed.pack(field, bound * largest[0]);
    }
  }

  private static void swap(double[] one, double[] other) {
    for (int i = 0; i < one.length; i++) {
      double value = one[i];
      one[i] = other[i];
      other[i] = value;
    }
  }

  @Override
  public void reverse(long step) {
    if (packed != null) {
      packed.unpack(field);
    }
    // The field before this step completes the second difference at the step after it.
    if (step < survey.steps() - 1) {
      addImage();
    }
    shift();
    propagator.step(adjoint, adjointAfter);
    for (int i = 0; i < receivers.length; i++) {
      propagator.inject(adjointAfter, receivers[i], residual[i][(int) step]);
    }
    swap(adjoint, adjointAfter);
    if (step == 0) {
      Arrays.fill(field, 0); // before the source begins, all is at rest
      addImage();
    }
  }

  private void shift() {
    System.arraycopy(next, 0, nextButOne, 0, next.length);
    System.arraycopy(field, 0, next, 0, field.length);
  }

  private void addImage() {
    int cell = 0;
    for (int column = 0; column < grid.width(); column++) {
      int at = grid.at(column, 0);
      for (int row = 0; row < grid.height(); row++, cell++) {
        double second = nextButOne[cell] - 2.0 * next[cell] + field[cell];
        image[cell] -= second * adjoint[at + row];
        illumination[cell] += second * second;
      }
    }
  }

  /** The image so far, by cell without the frame. */
  double[] image() {
    return image.clone();
  }

  /** The energy of the source's wave in each cell. */
  double[] illumination() {
    return illumination.clone();
  }

  /** The field of the step, by cell without the frame. */
  float[] field() {
    return field.clone();
  }

  /** Puts a field of {@link #field} back, for a reversal. */
  void setField(float[] of) {
    System.arraycopy(of, 0, field, 0, field.length);
  }
}
