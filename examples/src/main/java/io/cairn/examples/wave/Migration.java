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
  private final Slab slab;
  private final Neighbours neighbours;
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
    this(survey, Slab.whole(survey.grid()), Neighbours.NONE, smoothModel, sourceX, residual, bound);
  }

  /** One rank's part of the migration of a shot, in a slab. */
  Migration(
      Survey survey,
      Slab slab,
      Neighbours neighbours,
      double[] smoothModel,
      double sourceX,
      double[][] residual,
      double bound) {
    this.survey = survey;
    this.slab = slab;
    this.neighbours = neighbours;
    propagator = new Propagator(slab, smoothModel, survey.dt());
    source = survey.source(sourceX);
    receivers = survey.receivers();
    this.residual = residual;
    now = new double[slab.length()];
    before = new double[slab.length()];
    adjoint = new double[slab.length()];
    adjointAfter = new double[slab.length()];
    field = new float[slab.cells()];
    next = new float[slab.cells()];
    nextButOne = new float[slab.cells()];
    this.bound = bound;
    packed = bound > 0 ? new PackedField(slab.cells()) : null;
    image = new double[slab.cells()];
    illumination = new double[slab.cells()];
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
  public long least(long value) {
    return neighbours.least(value);
  }

  @Override
  public void step(long step) {
    neighbours.exchange(now);
    propagator.step(now, before);
    inject(before, source, survey.wavelet(step));
    swap(now, before);
    int cell = 0;
    for (int column = slab.first(); column < slab.end(); column++) {
      int at = slab.at(column, 0);
      for (int row = 0; row < slab.grid().height(); row++) {
        field[cell++] = (float) now[at + row];
      }
    }
    if (step == survey.steps() - 1) {
      System.arraycopy(field, 0, next, 0, field.length);
    }
    for (float value : field) {
      largest[0] = Math.max(largest[0], Math.abs(value));
    }
    if (packed != null) {
      largest[0] = neighbours.most(largest[0]);
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
    neighbours.exchange(adjoint);
    propagator.step(adjoint, adjointAfter);
    for (int i = 0; i < receivers.length; i++) {
      inject(adjointAfter, receivers[i], residual[i][(int) step]);
    }
    swap(adjoint, adjointAfter);
    if (step == 0) {
      Arrays.fill(field, 0); // before the source begins, all is at rest
      addImage();
    }
  }

  /** Adds a source if it lies in the slab. */
  private void inject(double[] after, int at, double value) {
    if (slab.holds(at)) {
      propagator.inject(after, slab.local(at), value);
    }
  }

  private void shift() {
    System.arraycopy(next, 0, nextButOne, 0, next.length);
    System.arraycopy(field, 0, next, 0, field.length);
  }

  private void addImage() {
    int cell = 0;
    for (int column = slab.first(); column < slab.end(); column++) {
      int at = slab.at(column, 0);
      for (int row = 0; row < slab.grid().height(); row++, cell++) {
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
